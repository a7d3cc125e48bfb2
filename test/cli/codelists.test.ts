import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODE_LIST_TYPES } from '../../src/domain/values/code-list.ts';
import { freePort, startService, temporaryFolder } from '../support/process.ts';
import { commandLine } from './command-line.ts';

type Refreshed = { readonly environment: string; readonly lists: readonly { type: string; entries: number }[] };
type CodeList = { readonly items: readonly { readonly code: string; readonly name: string }[] };

test('code lists read again beside a running service', async (t) => {
  const simulatorPort = await freePort();
  const ports = { SIMULATOR_PORT: String(simulatorPort), AUTHORITY_PACE_MS: '0' };
  const variables = { DATA_DIR: temporaryFolder(), ...ports };
  const service = await startService(t, variables);
  const { run, json, refusal } = commandLine(t, variables);

  await t.test('all eleven, or the ones that are named', async () => {
    const [all, some, { stdout }] = await Promise.all([
      json<Refreshed>('codelists', 'refresh'),
      json<Refreshed>('codelists', 'refresh', '--environment', 'test', '--type', 'currencies', '--type', 'countries'),
      run('codelists', 'refresh', '--type', 'tax-groups'),
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
    assert.match(stdout, /^LIST +ENTRIES\ntax-groups +\d+\n$/u);
  });

  await t.test('an authority that is out of order is a clear failure', async () => {
    const [exitCode, stderr] = await refusal('codelists', 'refresh', '--environment', 'production');
    assert.equal(exitCode, 1);
    assert.match(stderr, /HTTP 502/u);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
  });

  await t.test('what was read serves at once where the service itself could not read it', async (t) => {
    const currencies = () => service.call('demo-delta', '/codelists/currencies');
    assert.equal((await currencies()).status, 500);
    // One port lower: for this call the installation that works is the one above, that of production.
    const shifted = commandLine(t, { ...variables, SIMULATOR_PORT: String(simulatorPort - 1) });
    await shifted.json('codelists', 'refresh', '--environment', 'production', '--type', 'currencies');
    const { items } = (await (await currencies()).json()) as CodeList;
    assert.ok(items.some(({ code }) => code === 'MKD'));
  });

  await service.stop();
});
