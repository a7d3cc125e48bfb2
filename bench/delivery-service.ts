import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemTimers } from '../src/adapters/platform/timers.ts';
import { createPemSigner } from '../src/adapters/ujp/gateway/pem-signer.ts';
import { openAuthority } from '../src/app/authority.ts';
import { openReader } from '../src/app/document-reader.ts';
import { openFoundation } from '../src/app/foundation.ts';
import { createOperator } from '../src/app/operator.ts';
import { startService } from '../src/app/service.ts';
import { readEdb } from '../src/application/accounts/manage-tenants.ts';
import { type AuthorityUrls, readConfig } from '../src/config.ts';
import type { Edb } from '../src/domain/accounts/edb.ts';
import { listedTaxNumber } from '../src/domain/accounts/tax-number.ts';
import { firstDocUidAt } from '../src/domain/documents/doc-uid.ts';
import { signedText } from '../src/domain/documents/signed-text.ts';
import { BENCH_TENANTS, eujpIdOf } from './delivery-tenants.ts';
import { postMany } from './load.ts';

/** The service with a hundred tenants and a full queue: first what the authority can take at most, then what is delivered. */
type Order = {
  readonly urls: AuthorityUrls;
  readonly issued: { readonly certificatePem: string; readonly privateKeyPem: string; readonly serialNumber: string };
  readonly count: number;
};

const [{ urls, issued, count }] = (await once(process, 'message')) as [Order];
const dataDir = await mkdtemp(join(tmpdir(), 'dostava-'));
const config = readConfig({
  ENVIRONMENT: 'production',
  PORT: '0',
  OPS_PORT: '0',
  LOG_LEVEL: 'error',
  PUBLIC_URL: 'https://invoices.example',
  ALLOW_PLAIN_HTTP: 'i-know-that-others-can-read-and-change-it',
  DATA_DIR: dataDir,
  CREDENTIALS_KEY: randomBytes(32).toString('base64'),
  AUTHORITY_PRODUCTION_URL: urls.query,
  AUTHORITY_PRODUCTION_RECEIVER_URL: urls.receiver,
  AUTHORITY_PRODUCTION_PORTAL_URL: urls.portal,
  AUTHORITY_PACE_MS: '0',
  ALLOW_ANY_PACE: 'i-know-that-the-authority-refuses-faster-requests',
});
const foundation = await openFoundation(config);
const { storage } = foundation;
const reader = openReader(systemTimers, availableParallelism());
const operator = createOperator(foundation, reader);
const tenants = BENCH_TENANTS.map(readEdb);
for (const edb of tenants) {
  const settings = { edb, name: edb, environment: 'production', outboundEnabled: true, eujpId: eujpIdOf(edb) } as const;
  await operator.tenants.add(settings);
  await operator.credentials.set(edb, issued.certificatePem, issued.privateKeyPem);
}
// Only delivery is measured: nobody collects or follows meanwhile.
await foundation.engine.transaction((sql) => sql.run('delete from recurring_task', []));

const invoice = await readFile(new URL('../docs/examples/invoice.xml', import.meta.url), 'utf8');

function documentOf(tenant: Edb, number: string): Uint8Array<ArrayBuffer> {
  const text = invoice.replaceAll('4030026000018', tenant).replace('2026-7001', number);
  return new Uint8Array(Buffer.from(text));
}

await queueAll();
process.send?.({ capacity: await authorityCapacity(1_000) });
process.send?.({ perSecond: await deliverAll() });

async function queueAll(): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const tenant = tenantAt(index);
      const reading = await reader.read(tenant, documentOf(tenant, `D-${index}`));
      if (reading.outcome === 'refused') throw new Error(reading.detail);
      const { facts, file, pdf } = reading;
      const document = {
        facts,
        partnerEdb: listedTaxNumber(facts.recipient),
        ubl: file,
        pdf,
        software: 'b',
        holdMs: 0,
      };
      await storage.transaction((tx) => tx.outbound.add(tenant, document, Date.now()));
    }),
  );
}

function tenantAt(index: number): Edb {
  return tenants[index % tenants.length] ?? readEdb('');
}

/** How many documents a second the simulator registers when they come signed and ready. */
async function authorityCapacity(sends: number): Promise<number> {
  const { authority } = openAuthority(foundation);
  const signer = await createPemSigner(issued.certificatePem, issued.privateKeyPem);
  const bodies: { readonly edb: string; readonly body: Buffer }[] = [];
  for (let index = 0; index < sends; index += 1) {
    const tenant = await operator.tenants.find(tenantAt(index));
    const content = await reader.content(tenant.edb, documentOf(tenant.edb, `C-${index}`));
    const references = { leftOut: null, refusedOn: new Set<string>() };
    const prepared = await authority.prepare(tenant, firstDocUidAt(index), content, async () => [], references);
    if (prepared.outcome === 'failed') throw new Error(prepared.message);
    const requestTimestamp = await authority.requestTimestamp(tenant);
    const jws = await signer.sign(signedText(prepared.document.text, requestTimestamp));
    bodies.push({ edb: tenant.edb, body: Buffer.from(JSON.stringify({ requestTimestamp, jws })) });
  }
  const { perSecond } = await postMany({
    url: `${urls.receiver}/api/v1/sales-invoices/send`,
    count: sends,
    connections: 32,
    expectedStatus: 200,
    headers: (index) => ({
      'content-type': 'application/json',
      'X-EUJP-ID': eujpIdOf(bodies[index]?.edb ?? ''),
      'X-EDB': bodies[index]?.edb ?? '',
      'X-SERIAL-NUMBER': issued.serialNumber,
      'X-DOC-TYPE-CODE': '100',
    }),
    body: (index) => bodies[index]?.body ?? Buffer.alloc(0),
  });
  return perSecond;
}

/** From the moment the service starts until the last document is accepted. */
async function deliverAll(): Promise<number> {
  const started = performance.now();
  const service = await startService(foundation, reader);
  while (await isSomethingDue()) await pause(100);
  const seconds = (performance.now() - started) / 1_000;
  await service.stop();
  const row = await foundation.engine.get<{ n: number }>('select count(*) as n from outbound where status = 40', []);
  if (row?.n !== count) throw new Error(`Accepted are ${row?.n} of ${count} documents`);
  return count / seconds;
}

/** Asked so that it costs nothing beside what is measured. */
async function isSomethingDue(): Promise<boolean> {
  const text = 'select 1 from outbound where due_at is not null and status < 40 limit 1';
  return (await foundation.engine.get(text, [])) !== null;
}

await reader.close();
await foundation.engine.close();
await rm(dataDir, { recursive: true, force: true });
process.disconnect();
