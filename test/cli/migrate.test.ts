import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/process.ts';
import { PRODUCTION_VARIABLES } from '../support/production-variables.ts';
import { commandLine } from './command-line.ts';
import { commandsHere } from './commands-here.ts';

const MIGRATIONS = readdirSync(new URL('../../src/adapters/sql/migrations/', import.meta.url)).filter((file) =>
  file.endsWith('.sql'),
);

type Migrated = { readonly applied: readonly { readonly version: number; readonly name: string }[] };

test('each change of the tables is made once, also by several processes at the same time', async (t) => {
  // The folder is made where there is none.
  const variables = { DATA_DIR: join(temporaryFolder(), 'not', 'there', 'yet') };
  const { json } = commandLine(t, variables);
  const results = await Promise.all([1, 2, 3].map(() => json<Migrated>('init')));
  const applied = results.flatMap((result) => result.applied);
  assert.deepEqual(
    applied.map(({ version, name }) => `${String(version).padStart(4, '0')}-${name}.sql`).toSorted(),
    MIGRATIONS.toSorted(),
  );
  const { stdout } = await commandsHere(variables).run('migrate');
  assert.equal(stdout, 'The tables are up to date.\n');
});

test('init tells people which changes of the tables it made', async () => {
  const { run } = commandsHere();
  assert.match((await run('init')).stdout, /^VERSION +APPLIED\n1 +first-tables/u);
});

test('a database that was created without ENVIRONMENT is not lost to production: it belongs to the demo once it has tenants', async () => {
  const DATA_DIR = temporaryFolder();
  const [forgotten, production] = [commandsHere({ DATA_DIR }), commandsHere({ ...PRODUCTION_VARIABLES, DATA_DIR })];
  await forgotten.json('init');
  await production.json('tenant', 'add', '--edb', '4030026000018', '--name', 'Alfa', '--environment', 'production');
  assert.match((await forgotten.refusal('tenant', 'list'))[1], /belongs to the environment production/u);
  assert.equal((await production.json<readonly unknown[]>('tenant', 'list')).length, 1);
});
