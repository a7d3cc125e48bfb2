import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSharedAnswers } from '../../../../src/adapters/ujp/preparation/shared-answers.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import { NoTurnInTime } from '../../../../src/application/ports/pace.ts';
import { clockAt } from '../../../support/test-clock.ts';
import { ALFA_TENANT } from '../services/client.ts';

for (const failure of [
  new NoTurnInTime('others were first'),
  new AuthorityCallError('not accepted', { kind: 'credentials' }),
  new AuthorityCallError('not allowed', { kind: 'request-refused' }),
]) {
  test(`who waited for the answer to another asks again: ${failure.message}; who has asked does not`, async () => {
    const answers = createSharedAnswers<string>(clockAt(), { keptMs: 1_000, most: 1 });
    const asked: string[] = [];
    const first = answers(ALFA_TENANT, 'rate', async () => {
      asked.push('first');
      throw failure;
    });
    const second = answers(ALFA_TENANT, 'rate', async () => {
      asked.push('second');
      return 'answer';
    });
    await assert.rejects(first, failure);
    assert.equal(await second, 'answer');
    assert.deepEqual(asked, ['first', 'second']);
    assert.equal(await answers(ALFA_TENANT, 'rate', assert.fail), 'answer', 'is kept');
  });
}
