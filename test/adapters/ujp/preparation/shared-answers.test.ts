import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnswerCache } from '../../../../src/adapters/platform/ttl-cache.ts';
import { sharedOrOwn } from '../../../../src/adapters/ujp/preparation/shared-answers.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import { NoTurnInTime } from '../../../../src/application/ports/pace.ts';
import { clockAt } from '../../../support/test-clock.ts';

for (const failure of [
  new NoTurnInTime('others were first'),
  new AuthorityCallError('not accepted', { kind: 'credentials' }),
]) {
  test(`who waited for the answer to another asks again: ${failure.message}; who has asked does not`, async () => {
    const answers = createAnswerCache<string, string>(clockAt(), { keptMs: 1_000, most: 1 });
    const asked: string[] = [];
    const first = sharedOrOwn(answers, 'rate', async () => {
      asked.push('first');
      throw failure;
    });
    const second = sharedOrOwn(answers, 'rate', async () => {
      asked.push('second');
      return 'answer';
    });
    await assert.rejects(first, failure);
    assert.equal(await second, 'answer');
    assert.deepEqual(asked, ['first', 'second']);
  });
}
