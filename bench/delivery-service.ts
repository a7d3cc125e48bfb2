import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createPemSigner } from '../src/adapters/ujp/gateway/pem-signer.ts';
import { openAuthority } from '../src/app/authority.ts';
import { startService } from '../src/app/service.ts';
import { readEdb } from '../src/application/accounts/manage-tenants.ts';
import type { AuthorityUrls } from '../src/config.ts';
import type { Edb } from '../src/domain/accounts/edb.ts';
import { firstDocUidAt } from '../src/domain/documents/doc-uid.ts';
import { signedText } from '../src/domain/documents/signed-text.ts';
import { BENCH_TENANTS, eujpIdOf } from './delivery-tenants.ts';
import { postMany } from './load.ts';
import { documentOf, openServiceToMeasure } from './service-to-measure.ts';

/** The service with a hundred tenants and a full queue: first what the authority can take at most, then what is delivered. */
type Order = {
  readonly urls: AuthorityUrls;
  readonly issued: { readonly certificatePem: string; readonly privateKeyPem: string; readonly serialNumber: string };
  readonly count: number;
};

const [{ urls, issued, count }] = (await once(process, 'message')) as [Order];
const tenants = BENCH_TENANTS.map(readEdb);
const measured = await openServiceToMeasure({
  urls,
  threads: availableParallelism(),
  variables: { AUTHORITY_PACE_MS: '0', ALLOW_ANY_PACE: 'i-know-that-the-authority-refuses-faster-requests' },
  tenants: tenants.map((edb) => ({ edb, eujpId: eujpIdOf(edb) })),
  certificate: issued,
});
const { foundation, reader, operator, ops } = measured;
// Only delivery is measured: nobody collects or follows meanwhile.
await foundation.engine.transaction((sql) => sql.run('delete from recurring_task', []));

await queueAll();
process.send?.({ capacity: await authorityCapacity(1_000) });
process.send?.({ perSecond: await deliverAll() });

async function queueAll(): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => measured.queue(tenantAt(index), `D-${index}`)));
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
  const service = await startService(foundation, reader, ops);
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

await measured.close();
process.disconnect();
