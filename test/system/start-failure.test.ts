import assert from 'node:assert/strict';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { commandLine } from '../cli/command-line.ts';
import { freePort, startDostava, temporaryFolder, type Variables } from '../support/process.ts';
import { as, startTestService } from '../support/service.ts';

/** Must end by itself: with exit code 1 and a sentence, not a stack trace. Returns the sentence. */
async function failure(t: TestContext, variables: Variables): Promise<string> {
  const ports = { PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0', DATA_DIR: temporaryFolder() };
  const running = startDostava(t, ['serve'], { ...ports, ...variables });
  const { exitCode, stdout, stderr } = await running.finished();
  assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' }, stderr);
  assert.doesNotMatch(stderr, /^\s+at /mu);
  return stderr;
}

async function damagePageOf(file: string, table: string): Promise<void> {
  const database = new DatabaseSync(file);
  const place = `select page_size as bytes, (rootpage - 1) * page_size as start from sqlite_schema, pragma_page_size where name = ?`;
  const { bytes, start } = database.prepare(place).get(table) as { readonly bytes: number; readonly start: number };
  database.close();
  await using written = await open(file, 'r+');
  await written.write(Buffer.alloc(bytes, 0xaa), 0, bytes, start);
}

test('a port that is taken is named, and the service ends', async (t) => {
  const simulatorPort = String(await freePort());
  const first = await startTestService({ variables: { SIMULATOR_PORT: simulatorPort } });
  t.after(first.stop);
  const { port } = new URL(first.url);
  const { port: opsPort } = new URL(first.opsUrl);
  for (const taken of [{ PORT: port }, { OPS_PORT: opsPort }, { SIMULATOR_PORT: simulatorPort }]) {
    const [[name, value]] = Object.entries(taken) as [[string, string]];
    await t.test(name, async (t) => {
      const said = await failure(t, taken);
      assert.match(said, new RegExp(`:${value} is in use .+ Set ${name}\\b`, 'u'));
    });
  }
  await t.test('the one that was there first is not disturbed', async () => {
    assert.equal((await fetch(`${first.api}/ping`, { headers: as('demo-alfa') })).status, 200);
  });
});

test('a misspelt variable is named beside the one that is missing', async (t) => {
  const said = await failure(t, { ENVIRONMENT: 'production', PUBLC_URL: 'https://secret.example' });
  assert.match(said, /^PUBLC_URL is set, but there is no such variable\. Is PUBLIC_URL meant\?\n/u);
  assert.match(said, /- PUBLIC_URL: missing/u);
  assert.doesNotMatch(said, /secret/u);
});

test('an address that is not of this machine is named, and the service ends', async (t) => {
  assert.match(await failure(t, { HOST: '192.0.2.1', DEMO_PUBLIC: 'yes' }), /192\.0\.2\.1/u);
});

test('data that cannot be used is named, and the service ends', async (t) => {
  await t.test('a file in the place of the folder', async (t) => {
    const dataDir = join(temporaryFolder(), 'file');
    await writeFile(dataDir, 'not a folder');
    assert.ok((await failure(t, { DATA_DIR: dataDir })).includes(dataDir));
  });

  await t.test('a file that is no database', async (t) => {
    const dataDir = temporaryFolder();
    const file = join(dataDir, 'dostava.sqlite');
    await writeFile(file, 'not a database at all, but long enough to look like one'.repeat(50));
    const told = await failure(t, { DATA_DIR: dataDir });
    assert.ok(told.includes(file), told);
    assert.match(told, /file is not a database\. .*"dostava restore --from <backup> --force"/u);
  });

  await t.test('a database of which a page is damaged', async (t) => {
    const dataDir = temporaryFolder();
    await (await openFoundation(readConfig({ DATA_DIR: dataDir }))).engine.close();
    await damagePageOf(join(dataDir, 'dostava.sqlite'), 'schema_migration');
    const told = await failure(t, { DATA_DIR: dataDir });
    assert.match(told, /^The file of the embedded database is damaged: stop the service and restore a backup\.\n$/u);
  });

  await t.test('a database of a newer release', async (t) => {
    const dataDir = temporaryFolder();
    await (await openFoundation(readConfig({ DATA_DIR: dataDir }))).engine.close();
    const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
    database.exec("insert into schema_migration (version, name, applied_at) values (999, 'from-the-future', 0)");
    database.close();
    assert.match(await failure(t, { DATA_DIR: dataDir }), /version 999, newer than this program/u);
    const [exitCode, message] = await commandLine(t, { DATA_DIR: dataDir }).refusal('migrate');
    assert.equal(exitCode, 1);
    assert.match(message, /version 999, newer than this program/u);
  });
});
