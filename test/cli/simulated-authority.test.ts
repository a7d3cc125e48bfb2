import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CODE_LIST_TYPES } from '../../src/domain/values/code-list.ts';
import { freePort, temporaryFolder } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';
import { serviceHere } from './service-here.ts';

const ALFA = '4030026000018';

const simulatorPort = await freePort();
const variables = { DATA_DIR: temporaryFolder(), SIMULATOR_PORT: String(simulatorPort), AUTHORITY_PACE_MS: '0' };
const service = await serviceHere({ after }, variables);
const { run, json, refusal } = commandsHere(variables);

type Refreshed = { readonly environment: string; readonly lists: readonly { type: string; entries: number }[] };
type CodeList = { readonly items: readonly { readonly code: string; readonly name: string }[] };

test('code lists are refreshed beside a running service', async (t) => {
  await t.test('all eleven lists are refreshed, or the ones that are named', async () => {
    const [all, some, { stdout, stderr }] = await Promise.all([
      json<Refreshed>('codelists', 'refresh'),
      json<Refreshed>('codelists', 'refresh', '--environment', 'test', '--type', 'currencies', '--type', 'countries'),
      run('codelists', 'refresh', '--type', 'tax-groups', '--type', 'void-reasons'),
    ]);
    assert.equal(all.environment, 'test');
    assert.deepEqual(
      all.lists.map(({ type }) => type),
      CODE_LIST_TYPES,
    );
    for (const { type, entries } of all.lists) assert.ok(entries > 0, type);
    assert.deepEqual(
      some.lists.map(({ type }) => type),
      ['currencies', 'countries'],
    );
    assert.match(stdout, /^LIST +ENTRIES\ntax-groups +\d+\nvoid-reasons +\d+\n$/u);
    assert.match(stderr, /^reading code lists: 1 of 2 lists, 50 %\n/u);
  });

  await t.test('where the authority is out of order, the command fails in one sentence', async () => {
    const [exitCode, stderr] = await refusal('codelists', 'refresh', '--environment', 'production');
    assert.equal(exitCode, 1);
    assert.match(stderr, /HTTP 502/u);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
  });

  await t.test('a list that the command read is served at once by a service that could not read it', async () => {
    const currencies = () => service.call('demo-delta', '/codelists/currencies');
    assert.equal((await currencies()).status, 500);
    // One port lower: for this call the installation that works is the one above, that of production.
    const shifted = commandsHere({ ...variables, SIMULATOR_PORT: String(simulatorPort - 1) });
    await shifted.json('codelists', 'refresh', '--environment', 'production', '--type', 'currencies');
    const { items } = (await (await currencies()).json()) as CodeList;
    assert.ok(items.some(({ code }) => code === 'MKD'));
  });
});

test('outages are rehearsed beside a running demo environment', async (t) => {
  const serverTime = (port: number) => fetch(`http://127.0.0.1:${port}/einvoice_api/api/v1/server-time`);

  // First: a collection that meets an outage is a problem on record until the next one succeeds.
  await t.test('the check of a demo tenant finds its account in order, here and at the authority', async () => {
    const { exitCode, stdout, stderr } = await run('tenant', 'check', ALFA);
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' }, stdout);
    assert.match(stdout, /^OK +a certificate is there +[0-9A-F]+, 109\d days until it expires\.$/mu);
    assert.doesNotMatch(stdout, /FAILED/u);
  });

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

  await t.test('the outage of the installation that is out of order from the start can be ended', async () => {
    const production = ['--installation', 'production'];
    const broken = { installation: 'production', on: true, kind: '502-html' };
    assert.deepEqual(await json('simulator', 'outage', 'show', ...production), broken);
    await json('simulator', 'outage', 'off', ...production);
    assert.equal((await serverTime(simulatorPort + 1)).status, 200);
    assert.equal((await serverTime(simulatorPort)).status, 200);
  });

  await service.stop();
  await t.test('the command says that no demo environment runs', async () => {
    const [exitCode, stderr] = await refusal('simulator', 'outage', 'show');
    assert.equal(exitCode, 1);
    assert.match(stderr, new RegExp(`^No answer from http://127\\.0\\.0\\.1:${simulatorPort}/.*SIMULATOR_PORT.*\\n$`));
  });
});
