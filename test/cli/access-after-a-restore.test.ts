import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';
import { filledStore } from './filled-store.ts';

type Key = { readonly keyId: string; readonly revokedAt: string | null };

test('a restore names whom it lets in again: revoked keys and removed operators', async () => {
  const { json, run } = commandsHere({ DATA_DIR: await filledStore() });
  const file = join(temporaryFolder(), 'backup');
  for (const name of ['vera', 'petar', 'ana']) await json('operator', 'add', name, '--role', 'viewer', '--generate');
  await json('backup', '--to', file);
  const keys = (await json<readonly Key[]>('key', 'list')).filter(({ revokedAt }) => revokedAt === null);
  const [{ keyId } = assert.fail('there is no key')] = keys;
  await json('key', 'revoke', keyId);
  await json('operator', 'remove', 'vera');
  await json('operator', 'password', 'petar', '--generate');

  const { stdout } = await run('restore', '--from', file, '--force');
  assert.ok(stdout.includes(`Keys that were revoked work again: ${keyId}. Revoke them again.`), stdout);
  assert.match(stdout, /Operators of the console .*: petar, vera\. Remove or change them again\./u);
  const again = await json<{ readonly worksAgain: unknown }>('restore', '--from', file, '--force');
  assert.deepEqual(again.worksAgain, { keys: [], operators: [] });
  const elsewhere = await commandsHere({ DATA_DIR: temporaryFolder() }).run('restore', '--from', file);
  assert.match(elsewhere.stdout, /Keys that were revoked after the backup work again/u);
});
