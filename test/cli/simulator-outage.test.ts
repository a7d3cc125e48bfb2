import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort, startService, temporaryFolder } from '../support/process.ts';
import { commandLine } from './command-line.ts';

const ALFA = '4030026000018';

test('rehearsals beside a running demo environment', async (t) => {
  const simulatorPort = await freePort();
  const ports = { SIMULATOR_PORT: String(simulatorPort), AUTHORITY_PACE_MS: '0' };
  const variables = { DATA_DIR: temporaryFolder(), ...ports };
  const service = await startService(t, variables);
  const { run, json, refusal } = commandLine(t, variables);
  const serverTime = (port: number) => fetch(`http://127.0.0.1:${port}/einvoice_api/api/v1/server-time`);

  await t.test('an outage is begun, shown and ended', async () => {
    const works = { installation: 'test', on: false, kind: null };
    assert.deepEqual(await json('simulator', 'outage', 'show'), works);
    assert.deepEqual(await json('simulator', 'outage', 'on'), { ...works, on: true, kind: '502-html' });
    assert.equal((await serverTime(simulatorPort)).status, 502);
    assert.match((await run('simulator', 'outage', 'show')).stdout, /^test is out of order: 502-html\.\n$/u);
    await json('simulator', 'outage', 'on', '--kind', 'refuse');
    await assert.rejects(serverTime(simulatorPort));
    assert.equal((await run('simulator', 'outage', 'off')).stdout, 'test works.\n');
    assert.equal((await serverTime(simulatorPort)).status, 200);
  });

  await t.test('the installation that is out of order from the start can be mended', async () => {
    const production = ['--installation', 'production'];
    const broken = { installation: 'production', on: true, kind: '502-html' };
    assert.deepEqual(await json('simulator', 'outage', 'show', ...production), broken);
    await json('simulator', 'outage', 'off', ...production);
    assert.equal((await serverTime(simulatorPort + 1)).status, 200);
    assert.equal((await serverTime(simulatorPort)).status, 200);
  });

  await t.test('the account of a demo tenant is in order, here and at the authority', async () => {
    const { exitCode, stdout, stderr } = await run('tenant', 'check', ALFA);
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' }, stdout);
    assert.match(stdout, /^OK +a certificate is there +[0-9A-F]+, 109\d days until it expires\.$/mu);
    assert.doesNotMatch(stdout, /FAILED/u);
  });

  await service.stop();
  await t.test('without a demo that runs, it says so', async () => {
    const [exitCode, stderr] = await refusal('simulator', 'outage', 'show');
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      new RegExp(`^Nothing answers at http://127\\.0\\.0\\.1:${simulatorPort}/.*SIMULATOR_PORT.*\\n$`),
    );
  });
});
