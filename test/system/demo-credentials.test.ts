import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine } from '../cli/command-line.ts';
import { freePort, startService, temporaryFolder } from '../support/process.ts';

const [ALFA, DELTA] = ['4030026000018', '5012026000048'];

type Shown = { readonly name: string; readonly certificate: { readonly serialNumber: string } | null };

test('every demo tenant can sign, from the first start on', async (t) => {
  const dataDir = temporaryFolder();
  const variables = { DATA_DIR: dataDir, SIMULATOR_PORT: String(await freePort()), AUTHORITY_PACE_MS: '0' };
  const { run, json } = commandLine(t, variables);
  const serials = async () => {
    const tenants = await json<Shown[]>('tenant', 'list');
    return tenants.map(({ certificate }) => certificate?.serialNumber);
  };
  const check = async (edb: string) => {
    const { exitCode, stdout } = await run('tenant', 'check', edb);
    return { exitCode, failed: stdout.match(/^FAILED.*$/gmu) ?? [] };
  };
  const inOrder = { exitCode: 0, failed: [] };
  const mendProduction = () => json('simulator', 'outage', 'off', '--installation', 'production');
  const first = await startService(t, variables);
  const issued = await serials();

  await t.test('all with one certificate', () => {
    assert.equal(issued.length, 4);
    assert.match(issued[0] ?? '', /^[0-9A-F]{32}$/u);
    assert.equal(new Set(issued).size, 1);
  });

  await t.test('which both installations of the authority accept, also the one that was out of order', async () => {
    assert.deepEqual(await check(ALFA), inOrder);
    const { exitCode, failed } = await check(DELTA);
    assert.deepEqual([exitCode, failed.length], [1, 1]);
    assert.match(failed[0] ?? '', /502/u);
    await mendProduction();
    assert.deepEqual(await check(DELTA), inOrder);
  });

  await t.test('and still do after another start: the authority has forgotten nothing', async (t) => {
    await first.stop();
    const again = await startService(t, variables);
    await mendProduction();
    assert.deepEqual(await serials(), issued);
    for (const edb of [ALFA, DELTA]) assert.deepEqual(await check(edb), inOrder);
    await again.stop();
  });

  await t.test('no private key lies about in the open', () => {
    const files = ['dostava.sqlite', 'authority-test.jsonl', 'authority-production.jsonl', 'credentials.key'];
    for (const file of files) {
      assert.ok(existsSync(join(dataDir, file)), file);
      assert.ok(!readFileSync(join(dataDir, file)).includes('PRIVATE KEY'), file);
    }
  });
});
