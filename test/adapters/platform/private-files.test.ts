import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasDatabase } from '../../../src/adapters/platform/private-files.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { temporaryFolder } from '../../support/process.ts';

test('a database in a folder that this user may not enter is not taken for a missing one', () => {
  const parent = temporaryFolder();
  chmodSync(parent, 0o755);
  const folder = join(parent, 'data');
  const file = join(folder, 'dostava.sqlite');
  mkdirSync(folder);
  assert.equal(hasDatabase(file), false);
  writeFileSync(file, '');
  assert.equal(hasDatabase(file), true);
  chmodSync(folder, 0);
  asOrdinaryUser(() => {
    const refused = (error: unknown) =>
      error instanceof OperatorError && error.message.startsWith(`${file} is closed to this user`);
    assert.throws(() => hasDatabase(file), refused);
  });
  chmodSync(folder, 0o700);
});
