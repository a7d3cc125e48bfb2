import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openAppContext } from '../../src/app/app-context.ts';
import { openReaderOnDemand } from '../../src/app/document-reader.ts';
import { createOperator } from '../../src/app/operator.ts';
import { readConfig } from '../../src/config.ts';
import { startService, temporaryFolder, until } from '../support/process.ts';
import { commandLine } from './command-line.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const ZETA = '4044026000055';
const EFFECTIVE_WITHIN_MS = 2_000;

test('tenants beside a running service', async (t) => {
  const variables = { DATA_DIR: temporaryFolder() };
  const service = await startService(t, variables);
  const { run, json, refusal } = commandLine(t, variables);
  const settings = { edb: ZETA, name: 'Zeta', environment: 'test', outboundEnabled: false, eujpId: null };
  const zeta = { ...settings, stopped: null, certificate: null };
  let key = '';

  async function submit(idempotencyKey: string) {
    const headers = { 'X-Idempotency-Key': idempotencyKey };
    const response = await service.call(key, '/outbound', { method: 'POST', headers, body: INVOICE });
    const { code = null } = (await response.json()) as { readonly code?: string };
    return { status: response.status, code };
  }

  await t.test('one that is added can have a key at once', async () => {
    // The number as people write it: with prefix and blanks.
    const words = ['--edb', 'МК 4044026000055', '--name', 'Zeta', '--outbound', 'off'];
    assert.deepEqual(await json('tenant', 'add', ...words), zeta);
    const issued = await json<{ readonly key: string }>('key', 'issue', '--tenant', ZETA, '--software', 'ledger');
    key = issued.key;
    assert.equal((await service.call(key, '/ping')).status, 200);
    assert.equal((await submit('one')).code, 'ERR-9001');
  });

  await t.test('the list shows all of them, for people and for programs', async () => {
    const [{ stdout }, tenants] = await Promise.all([run('tenant', 'list'), json<unknown[]>('tenant', 'list')]);
    assert.equal(tenants.length, 5);
    assert.ok(tenants.some((tenant) => JSON.stringify(tenant) === JSON.stringify(zeta)));
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    assert.match(heading ?? '', /^EDB +NAME +ENVIRONMENT +OUTBOUND +EUJP-ID +CERTIFICATE +EXPIRES +DELIVERY$/u);
    assert.equal(rows.length, 5);
    assert.ok(rows.some((row) => /^4044026000055 +Zeta +test +off +- +- +- +on$/u.test(row)));
  });

  await t.test('a change is effective within two seconds, and changes nothing else', async () => {
    assert.deepEqual(await json('tenant', 'set', ZETA, '--outbound', 'on'), { ...zeta, outboundEnabled: true });
    await until('outbound is on', async () => (await submit('two')).status === 201, EFFECTIVE_WITHIN_MS);
    const all = { name: 'Zeta & Co', environment: 'production', outboundEnabled: false, eujpId: 'id-7' };
    const words = ['--name', all.name, '--environment', all.environment, '--outbound', 'off', '--eujp-id', all.eujpId];
    assert.deepEqual(await json('tenant', 'set', ZETA, ...words), { ...zeta, ...all });
    await until('outbound is off', async () => (await submit('three')).code === 'ERR-9001', EFFECTIVE_WITHIN_MS);
  });

  await t.test('one that exists is not added again, and stays as it was', async () => {
    const [exitCode, stderr] = await refusal('tenant', 'add', '--edb', ZETA, '--name', 'Other');
    assert.equal(exitCode, 1);
    assert.match(stderr, /There is a tenant 4044026000055 already/u);
    const tenants = await json<{ readonly edb: string; readonly name: string }[]>('tenant', 'list');
    assert.equal(tenants.find(({ edb }) => edb === ZETA)?.name, 'Zeta & Co');
  });

  await t.test('two changes at the same time are both kept', async (t) => {
    const foundation = await openAppContext(readConfig(variables));
    t.after(() => foundation.engine.close());
    const { tenants } = createOperator(foundation, openReaderOnDemand());
    await Promise.all([tenants.set(ZETA, { name: 'Both' }), tenants.set(ZETA, { outboundEnabled: true })]);
    const { name, outboundEnabled } = await tenants.find(ZETA);
    assert.deepEqual({ name, outboundEnabled }, { name: 'Both', outboundEnabled: true });
  });

  await service.stop();
});
