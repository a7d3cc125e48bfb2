import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { postgresServer } from '../support/postgres.ts';
import { PROJECT, temporaryFolder } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';

const ALFA = '4030026000018';
const UID = '01234567-89ab-7def-8123-456789abcdef';
const INVOICE = join(PROJECT, 'docs/examples/invoice.xml');

/** What a command needs besides its name. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'tenant add': ['--edb', ALFA, '--name', 'Alfa'],
  'tenant set': [ALFA, '--outbound', 'off'],
  'tenant check': [ALFA],
  'tenant remove-certificate': [ALFA],
  'key issue': ['--tenant', ALFA, '--software', 'ledger'],
  'key revoke': ['key-0'],
  'key renew': ['key-0'],
  'key allow': ['key-0', '192.0.2.1'],
  'outbound show': [UID],
  'outbound sent': [UID],
  'outbound retry': [UID],
  'outbound void': [UID, '--reason', 'S-1'],
  'inbound import': ['--tenant', ALFA, INVOICE],
  'authority probe': ['--tenant', ALFA],
  'operator add': ['vera'],
  'operator remove': ['vera'],
  'operator password': ['vera'],
  'references clear': ['100'],
  'simulator outage': ['show'],
  archive: ['--before', '2017-01-01', '--to', '<elsewhere>'],
  backup: ['--to', '<elsewhere>'],
  reconcile: ['--since', '2027-01-01'],
};

/** These create a database, need none, or name another place: `migrate-store` and `archive verify` are told which. */
const OTHERS = ['init', 'restore', 'migrate-store', 'archive verify'];

const commands = COMMANDS.map(({ name }) => name).filter((name) => !OTHERS.includes(name));

function callOf(name: string): readonly string[] {
  const elsewhere = join(temporaryFolder(), 'elsewhere');
  return [...name.split(' '), ...(ARGUMENTS[name] ?? []).map((word) => word.replace('<elsewhere>', elsewhere))];
}

test('no command but init creates a database: a mistyped DATA_DIR is named, and nothing is there afterwards', async (t) => {
  const parent = temporaryFolder();
  const dataDir = join(parent, 'mistyped');
  const { refusal, run } = commandsHere({ DATA_DIR: dataDir });
  for (const name of commands) {
    await t.test(name, async () => {
      const [exitCode, stderr] = await refusal(...callOf(name));
      assert.equal(exitCode, 3);
      assert.ok(stderr.includes(`There is no database ${join(dataDir, 'dostava.sqlite')}`), stderr);
      assert.deepEqual(readdirSync(parent), []);
    });
  }
  assert.equal((await run('init')).exitCode, 0);
  assert.ok(existsSync(join(dataDir, 'dostava.sqlite')));
  assert.equal((await run('tenant', 'list')).exitCode, 0);
});

test('an empty file in the place of the database is said to have no tables by every command', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'dostava.sqlite'), '');
  const { refusal } = commandsHere({ DATA_DIR: dataDir });
  for (const name of commands)
    assert.match((await refusal(...callOf(name)))[1], /has no tables\. Is it the right one/u, name);
});

test('a missing argument is named before the missing database', async () => {
  const { refusal } = commandsHere({ DATA_DIR: join(temporaryFolder(), 'mistyped') });
  const needing = COMMANDS.filter(({ positionals }) => positionals.startsWith('<'));
  assert.ok(needing.length > 10);
  for (const { name, positionals } of needing) {
    const [exitCode, stderr] = await refusal(...name.split(' '));
    assert.equal(exitCode, 2, name);
    assert.ok(stderr.startsWith(`${positionals.slice(0, positionals.indexOf('>') + 1)}`), stderr);
    assert.match(stderr, /^<[^\n]* (?:is|are) missing\./u);
  }
});

test('on PostgreSQL no command but init creates the tables, nor a folder beside', async (t) => {
  const parent = temporaryFolder();
  const url = await (await postgresServer()).createDatabase();
  const { refusal, run } = commandsHere({ DATA_DIR: join(parent, 'data'), DATABASE_URL: url });
  for (const name of commands.filter((one) => one !== 'backup')) {
    await t.test(name, async () => {
      const [exitCode, stderr] = await refusal(...callOf(name));
      assert.equal(exitCode, 3);
      assert.match(stderr, /The database of DATABASE_URL has no tables/u);
      assert.deepEqual(readdirSync(parent), []);
    });
  }
  assert.equal((await run('init')).exitCode, 0);
  assert.equal((await run('tenant', 'list')).exitCode, 0);
});
