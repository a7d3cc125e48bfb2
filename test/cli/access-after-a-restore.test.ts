import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { DATABASE_FILE } from '../../src/app/foundation.ts';
import { formerTables } from '../engines/former-database.ts';
import { temporaryFolder } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';
import { filledStore } from './filled-store.ts';

type Key = { readonly keyId: string; readonly tenant: string; readonly revokedAt: string | null };

const CREDENTIAL = 'tenant, certificate, serial_number, valid_to, sealed_key, sealed_by, changed_at';

/** The number of the last migration before that of the operators. */
const LAST_WITHOUT_OPERATORS = 23;

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
  assert.deepEqual(again.worksAgain, {
    keys: [],
    widenedKeys: [],
    operators: [],
    movedTenants: [],
    formerAccounts: [],
    certificates: [],
    submitting: [],
  });
  const elsewhere = await commandsHere({ DATA_DIR: temporaryFolder() }).run('restore', '--from', file);
  assert.match(elsewhere.stdout, /Keys that were revoked after the backup work again/u);
});

test('a restore names documents that were cancelled after the backup: they would be sent', async () => {
  const dataDir = await filledStore();
  const { json, run } = commandsHere({ DATA_DIR: dataDir });
  const file = join(temporaryFolder(), 'backup');
  await json('backup', '--to', file);
  const database = new DatabaseSync(join(dataDir, DATABASE_FILE));
  const queued = 'select tenant, id as docUid from outbound where status = 10 order by tenant, id';
  const [cancelled = assert.fail(), other = assert.fail()] = database.prepare(queued).all();
  database.prepare('update outbound set status = 60, due_at = null where id = ?').run(String(cancelled['docUid']));
  database.close();

  const { stdout } = await run('restore', '--from', file, '--force');
  assert.ok(stdout.includes(`wait for delivery again: ${cancelled['docUid']}. Cancel them again`), stdout);
  assert.ok(!stdout.includes(String(other['docUid'])), stdout);
  type Restored = { readonly queuedAgain: unknown };
  assert.deepEqual((await json<Restored>('restore', '--from', file, '--force')).queuedAgain, []);
  const elsewhere = await commandsHere({ DATA_DIR: temporaryFolder() }).run('restore', '--from', file);
  assert.match(elsewhere.stdout, /cancelled after the backup, and waited in it, are sent/u);
});

test('a restore after another one says that what the first has named holds again', async () => {
  const { json, run } = commandsHere({ DATA_DIR: await filledStore() });
  const file = join(temporaryFolder(), 'backup');
  await json('backup', '--to', file);
  const keys = (await json<readonly Key[]>('key', 'list')).filter(({ revokedAt }) => revokedAt === null);
  const [{ keyId } = assert.fail('there is no key')] = keys;
  await json('key', 'revoke', keyId);
  const restored = async () => (await run('restore', '--from', file, '--force')).stdout;
  const first = await restored();
  assert.ok(first.includes(`Keys that were revoked work again: ${keyId}.`), first);
  assert.doesNotMatch(first, /has to be dealt with again/u);
  const again =
    /What that restore, or one before it, has named has to be dealt with again: keys, operators, .* cancelled\./u;
  const second = await restored();
  assert.match(second, again);
  assert.ok(!second.includes(keyId), 'it names none itself, so that the third must not lead to it alone');
  assert.match(await restored(), again);
  await run('release');
  assert.doesNotMatch(await restored(), /has to be dealt with again/u);
});

test('a restore names keys that may be used for longer, or from more addresses, than before it', async () => {
  const { json, run } = commandsHere({ DATA_DIR: await filledStore() });
  const file = join(temporaryFolder(), 'backup');
  const [{ tenant } = assert.fail('there is no key')] = await json<readonly Key[]>('key', 'list');
  const issue = async (...options: readonly string[]) =>
    (await json<Key>('key', 'issue', '--tenant', tenant, '--software', 'ledger', ...options)).keyId;
  const [renewed, limited, moved, same] = [
    await issue(),
    await issue(),
    await issue('--allow', '198.51.100.7', '--allow', '198.51.100.8'),
    await issue('--allow', '198.51.100.7', '--expires', '2999-12-31'),
  ];
  const widened = await issue('--allow', '198.51.100.7');
  await json('backup', '--to', file);
  await json('key', 'renew', renewed, '--overlap-hours', '1');
  await json('key', 'allow', limited, '198.51.100.7');
  await json('key', 'allow', moved, '198.51.100.7');
  await json('key', 'allow', widened, '--everywhere');

  const { stdout } = await run('restore', '--from', file, '--force');
  const named = [renewed, limited, moved].toSorted().join(', ');
  assert.ok(stdout.includes(`Keys may be used longer, or from more addresses, than before: ${named}.`), stdout);
  assert.ok(!stdout.includes(same) && !stdout.includes(widened), stdout);
  assert.doesNotMatch(stdout, /were revoked/u);
});

test('a restore names taxpayers that are in another environment than before it', async () => {
  const { json, run } = commandsHere({ DATA_DIR: await filledStore() });
  const file = join(temporaryFolder(), 'backup');
  const add = ['tenant', 'add', '--name', 'x', '--environment', 'test', '--edb'];
  for (const edb of ['4030026000018', '4080026000023', '4032026000045']) await json(...add, edb);
  const goTo = (edb: string, environment: string) => json('tenant', 'set', edb, '--environment', environment);
  await goTo('4032026000045', 'production');
  await json('backup', '--to', file);
  await goTo('4030026000018', 'production');
  await goTo('4032026000045', 'test');
  await json(...add, '4001026000034');

  const { stdout } = await run('restore', '--from', file, '--force');
  assert.match(stdout, /in test again and were in production: 4030026000018\. .* before you reconcile\./u);
  assert.match(stdout, /in production again and were in test: 4032026000045\. .* after you have reconciled/u);
});

test('a restore names taxpayers that are signed for, or may submit, again', async () => {
  const dataDir = await filledStore();
  const { json, run } = commandsHere({ DATA_DIR: dataDir });
  const file = join(temporaryFolder(), 'backup');
  const [left, off, renewed, user] = ['4030026000018', '4080026000023', '4030026000030', '4030026000041'] as const;
  for (const edb of [left, off, renewed, user])
    await json('tenant', 'add', '--name', 'x', '--environment', 'test', '--edb', edb);
  await json('tenant', 'set', left, '--outbound', 'off');
  const database = new DatabaseSync(join(dataDir, DATABASE_FILE));
  for (const edb of [left, renewed])
    database.prepare(`insert into credential (${CREDENTIAL}) values (?, 'x', 'ABC', 0, x'00', 'x', 0)`).run(edb);
  await json('backup', '--to', file);
  await json('tenant', 'remove-certificate', left);
  await json('tenant', 'set', off, '--outbound', 'off');
  await json('tenant', 'set', user, '--eujp-id', 'other');
  database.prepare(`update credential set serial_number = 'DEF' where tenant = ?`).run(renewed);
  database.close();

  const { stdout } = await run('restore', '--from', file, '--force');
  assert.match(
    stdout,
    /Certificates that were removed are back[^:]*: 4030026000018\. .*"dostava tenant remove-certificate"/u,
  );
  assert.match(stdout, /outbound was off may submit again: 4080026000023\. /u);
  assert.match(
    stdout,
    /a former certificate or EUJP-ID again: 4030026000030, 4030026000041\. .* before you reconcile/u,
  );
});

test('a restore of a backup from before there were operators names revoked keys as well', async () => {
  const file = join(temporaryFolder(), 'backup');
  const engine = openSqlite(file, systemTimers);
  await formerTables(engine, LAST_WITHOUT_OPERATORS);
  await engine.transaction(async (sql) => {
    await sql.run(`insert into store_environment (id, environment, since) values (1, 'demo', 0)`, []);
    await sql.run(
      `insert into tenant (edb, name, environment, outbound_enabled, created_at) values ('4030026000018', 'x', 'test', 1, 0)`,
      [],
    );
    await sql.run(
      `insert into api_key (tenant, key_id, secret_sha256, software, scopes, allowed_addresses, calls_per_minute, created_at)
       values ('4030026000018', 'key-1', $1, 'ledger', '[]', '[]', 60, 0)`,
      [new Uint8Array(32)],
    );
  });
  await engine.close();
  const { json, run } = commandsHere();
  await json('restore', '--from', file);
  await json('key', 'revoke', 'key-1');
  const { stdout } = await run('restore', '--from', file, '--force');
  assert.ok(stdout.includes('Keys that were revoked work again: key-1. Revoke them again.'), stdout);
});
