import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { postgresServer } from '../support/postgres.ts';
import { startDostava, temporaryFolder } from '../support/process.ts';
import { type CommitCutter, startCommitCutter } from './commit-cutter.ts';

const MIGRATIONS = readdirSync(new URL('../../src/adapters/sql/migrations/', import.meta.url)).filter((file) =>
  file.endsWith('.sql'),
);
const PORT = '7433';
const RECORDED = 'insert into schema_migration';
const TABLES = 'create table outbound_history';

let cutter: CommitCutter;
let createDatabase: () => Promise<string>;
before(async () => {
  const server = await postgresServer();
  createDatabase = server.createDatabase;
  const place = (port: string) => join(server.folder, `.s.PGSQL.${port}`);
  cutter = await startCommitCutter(place('5432'), place(PORT));
});
after(() => cutter.close());

async function freshInstallation() {
  const direct = await createDatabase();
  const address = new URL(direct);
  address.searchParams.set('port', PORT);
  const ports = { PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0' };
  return { direct, variables: { ...ports, DATA_DIR: temporaryFolder(), DATABASE_URL: address.href } };
}

async function applied(url: string): Promise<readonly number[]> {
  const engine = openPostgres(url, systemPlatform);
  const rows = await engine.all<{ version: number }>('select version from schema_migration order by version', []);
  await engine.close();
  return rows.map(({ version }) => version);
}

/** Must end by itself, with exit code 1 and one plain sentence or two. */
async function failure(t: TestContext, command: string, variables: Readonly<Record<string, string>>) {
  const cuts = cutter.cuts();
  const { exitCode, stdout, stderr } = await startDostava(t, [command], variables).finished();
  assert.equal(cutter.cuts() - cuts, 1);
  assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' }, stderr);
  assert.match(stderr, /^[^\n]+\n$/u, 'one line');
  assert.doesNotMatch(stderr, / {4}at /u);
  return stderr;
}

const COMMANDS = ['serve', 'init'] as const;

for (const command of COMMANDS) {
  test(`${command}: a connection that breaks at the commit of a migration is said plainly, and the same again goes on`, async (t) => {
    const { direct, variables } = await freshInstallation();
    cutter.cutNext(RECORDED);
    const said = await failure(t, command, variables);
    assert.match(said, /broke during the commit.*Start it again: what was done is not done twice\./u);
    assert.deepEqual(await applied(direct), [1]);
    assert.equal((await startDostava(t, ['init'], variables).finished()).exitCode, 0);
    assert.equal((await applied(direct)).length, MIGRATIONS.length);
  });

  test(`${command}: a connection that breaks within a migration is said plainly, and the same again goes on`, async (t) => {
    const { direct, variables } = await freshInstallation();
    cutter.breakNext(TABLES);
    assert.match(await failure(t, command, variables), /^The database cannot serve at this moment\./u);
    assert.equal((await startDostava(t, ['init'], variables).finished()).exitCode, 0);
    assert.equal((await applied(direct)).length, MIGRATIONS.length);
  });
}
