import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { startAuthority } from '../delivery/authority-of-test.ts';
import { createCertificate } from '../support/certificate.ts';
import { freePort, startProgram, until } from '../support/process.ts';
import { largeInvoice } from '../support/ubl-samples.ts';
import { limitMemory, type MemoryLimit } from './memory-limit.ts';

const MIB = 1_048_576;
const LIMIT_BYTES = 512 * MIB;
/** Less some room for what is replaced in them. */
const DOCUMENT_BYTES = 10 * MIB - 20_000;
/** One alone was too much once. Six take half a minute of processor time. */
const COUNT = process.env['TEST_LONG'] === '1' ? 6 : 1;
const INVOICE = largeInvoice(DOCUMENT_BYTES);

/** As many taxpayers, each with a user of its own, so that all documents could be delivered at once. */
async function open(t: TestContext) {
  // On a disk: files in memory would count.
  const folder = mkdtempSync(join(tmpdir(), 'dostava-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const edbs = Array.from({ length: COUNT }, (_, index) => readEdb(String(4_070_000_000_000 + index)));
  const pems = createCertificate();
  const { simulator, variables } = await startAuthority({
    companies: edbs.map((taxNumber) => ({ taxNumber, users: [taxNumber] })),
    certificates: edbs.map((edb) => ({ eujpId: edb, edb, certificatePem: pems.certificatePem })),
  });
  t.after(() => simulator.close());
  const all = { ...variables, DATA_DIR: folder, AUTHORITY_TIMEOUT_SECONDS: '120', READING_THREADS: '2' };
  const foundation = await openFoundation(readConfig(all));
  t.after(() => foundation.engine.close());
  const operator = createOperator(foundation, openReader(systemTimers));
  const secrets: string[] = [];
  for (const edb of edbs) {
    await operator.tenants.add({ edb, name: edb, environment: 'production', outboundEnabled: true, eujpId: edb });
    await operator.credentials.set(edb, pems.certificatePem, pems.privateKeyPem);
    secrets.push((await operator.keys.issue({ tenant: edb, software: 'test', callsPerMinute: 9_999_999 })).secret);
  }
  return { edbs, secrets, variables: all, engine: foundation.engine };
}

/** The service under the limit, and where documents are submitted. */
async function startWithin(t: TestContext, limit: MemoryLimit, variables: Readonly<Record<string, string>>) {
  const port = await freePort();
  const script = `${limit.enter}; exec '${process.execPath}' bin/dostava.js serve`;
  const service = startProgram(t, 'sh', ['-c', script], { ...variables, PORT: String(port), OPS_PORT: '0' });
  t.after(() => until('the group is empty', limit.remove));
  await service.waitFor(/listens on/u);
  return { service, url: `http://127.0.0.1:${port}/api/integration/v1/outbound` };
}

test(`512 MiB carry ${COUNT} invoices of ten MiB at once: taken, delivered, their containers fetched`, async (t) => {
  const limit = limitMemory(LIMIT_BYTES);
  if (limit === null) return t.skip('this system does not let the tests limit memory');
  const { edbs, secrets, variables, engine } = await open(t);
  const { service, url } = await startWithin(t, limit, variables);
  const statuses = await Promise.all(
    edbs.map(async (edb, index) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'X-Api-Key': secrets[index] ?? '', 'X-Software-Id': 'test/1.0', 'X-Idempotency-Key': 'large' },
        body: INVOICE.replaceAll('4030026000018', edb),
      });
      return response.status;
    }),
  );
  assert.deepEqual(statuses, Array(COUNT).fill(201));
  await until('every container', async () => {
    // Killed for want of memory, it is told below.
    if (!service.isRunning()) return true;
    const text = 'select count(*) as n from outbound where status = 40 and ujp_sha256 is not null';
    return (await engine.get<{ readonly n: number }>(text, []))?.n === COUNT;
  });
  t.diagnostic(`at most ${Math.round(limit.peakBytes() / MIB)} MiB, pages of files included`);
  service.signal('SIGTERM');
  assert.deepEqual(
    { ...(await service.finished()), stdout: '' },
    { exitCode: 0, signal: null, stdout: '', stderr: '' },
  );
});

test('512 MiB carry documents of almost a MiB, and reads, that come without a pause', async (t) => {
  if (process.env['TEST_LONG'] !== '1') return t.skip('it takes a minute: npm run test:long');
  const limit = limitMemory(LIMIT_BYTES);
  if (limit === null) return t.skip('this system does not let the tests limit memory');
  const { edbs, secrets, variables } = await open(t);
  const { service, url } = await startWithin(t, limit, { ...variables, ROLE: 'api' });
  const headers = { 'X-Api-Key': secrets[0] ?? '', 'X-Software-Id': 'test/1.0' };
  const almostOneMiB = largeInvoice(MIB - 20_000).replaceAll('4030026000018', edbs[0] ?? '');
  const statuses: number[] = [];
  async function client(lane: number): Promise<void> {
    for (let turn = 0; turn < 40; turn += 1) {
      const request = { method: 'POST', headers: { ...headers, 'X-Idempotency-Key': `${lane}-${turn}` } };
      const submitted = await fetch(url, { ...request, body: almostOneMiB });
      statuses.push(submitted.status);
      await submitted.arrayBuffer();
      for (let read = 0; read < 20; read += 1) await (await fetch(`${url}?pageSize=500`, { headers })).arrayBuffer();
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, lane) => client(lane)));
  assert.deepEqual(new Set(statuses), new Set([201]));
  t.diagnostic(`at most ${Math.round(limit.peakBytes() / MIB)} MiB, pages of files included`);
  service.signal('SIGTERM');
  assert.equal((await service.finished()).exitCode, 0);
});
