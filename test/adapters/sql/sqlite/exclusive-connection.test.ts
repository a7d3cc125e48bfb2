import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { openExclusively } from '../../../../src/adapters/sql/sqlite/exclusive-connection.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { temporaryFile } from '../temporary-file.ts';

test('a database that a copy or a restore has for itself is named, with what to wait for', async (t) => {
  const path = temporaryFile(t);
  await openSqlite(path, systemTimers).close();
  const copying = openExclusively(path);
  assert.throws(() => openSqlite(path, systemTimers), {
    message: new RegExp(
      `^${path} is in use: .+"dostava migrate-store" and "dostava restore" .+ when that has ended\\.$`,
      'u',
    ),
  });
  copying.close();
  await openSqlite(path, systemTimers).close();
});
