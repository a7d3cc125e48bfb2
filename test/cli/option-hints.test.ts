import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommitUnknown } from '../../src/application/errors/commit-unknown.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { messageWithHint } from '../../src/cli/option-hints.ts';

test('a command that the database fails under says why', () => {
  const cause = new Error('database or disk is full');
  for (const Failure of [ServiceUnavailable, CommitUnknown]) {
    const failure = new Failure('The database cannot serve at this moment.', { cause });
    assert.equal(messageWithHint(failure), 'The database cannot serve at this moment. database or disk is full');
  }
});
