import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createPemSigner } from '../../src/adapters/ujp/gateway/pem-signer.ts';
import { openAuthority } from '../../src/app/authority.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { AuthorityUrls } from '../../src/config.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { firstDocUidAt } from '../../src/domain/documents/doc-uid.ts';
import { OUTBOUND_STATUS } from '../../src/domain/documents/outbound-status.ts';
import { signedText } from '../../src/domain/documents/signed-text.ts';
import type { Bench } from '../bench.ts';
import type { Call } from '../load/plan.ts';
import { resetPeak, usageOf } from '../processes/usage.ts';
import { type Figures, NO_FIGURES } from '../report/figures.ts';
import { createDatabase, type EngineName } from '../service/databases.ts';
import { BENCH_TENANTS, eujpIdOf } from '../service/delivery-tenants.ts';
import { exampleOf, openWithTenants } from '../service/open-with-tenants.ts';
import { productionVariables } from '../service/production-variables.ts';
import { startService } from '../service/start-service.ts';
import { CONNECTIONS, LOAD, load, measured, used } from './measure-load.ts';
import { createStage, type Stage } from './scenario.ts';

type Issued = { readonly certificatePem: string; readonly privateKeyPem: string; readonly serialNumber: string };
type Simulator = { readonly urls: AuthorityUrls; readonly issued: Issued };
type Opened = Awaited<ReturnType<typeof open>>;

const tenants = BENCH_TENANTS.map(readEdb);
/** Of the documents that are delivered so many are signed beforehand, to see what the authority can take. */
const SIGNED_SHARE = 0.2;
const SECOND_MS = 1_000;
const LOOK_MS = 100;

/** A hundred tenants with a full queue, and an authority without its pace. */
export function deliveryStage(engine: EngineName): Stage {
  return createStage(
    (bench) => open(bench, engine),
    [
      {
        name: `delivery from 10 to the stored container, ${engine}`,
        compared: 'perSecond',
        measure: deliverAll,
        baselines: async (bench, opened) => [
          {
            name: 'simulated authority alone, signed documents without containers',
            figures: await authorityAlone(bench, opened),
          },
        ],
      },
    ],
  );
}

async function open(bench: Bench, engine: EngineName) {
  // A new one for each engine: the documents of both have the same numbers.
  const simulator = await bench.children.start<Simulator>('service/simulator');
  const database = await createDatabase(bench, engine);
  const variables = {
    ...productionVariables(simulator.facts.urls),
    ...database.variables,
    ROLE: 'worker',
    AUTHORITY_PACE_MS: '0',
    ALLOW_ANY_PACE: 'i-know-that-the-authority-refuses-faster-requests',
  };
  const prepared = await openWithTenants({
    variables,
    threads: availableParallelism(),
    tenants: tenants.map((edb) => ({ edb, eujpId: eujpIdOf(edb) })),
    certificate: simulator.facts.issued,
  });
  // Only delivery is measured: nobody collects or follows meanwhile.
  await prepared.foundation.engine.transaction((sql) => sql.run('delete from recurring_task', []));
  return {
    ...prepared,
    simulator,
    variables,
    async close() {
      await prepared.close();
      await simulator.stop();
      await database.remove();
    },
  };
}

function tenantAt(index: number): Edb {
  return tenants[index % tenants.length] ?? readEdb('');
}

/** From the moment the service is ready until the last container is stored. */
async function deliverAll(bench: Bench, { foundation, queue, variables }: Opened): Promise<Figures> {
  const { deliveries } = bench.settings;
  for (let index = 0; index < deliveries; index += tenants.length) {
    bench.stop.throwIfAborted();
    const together = Array.from({ length: Math.min(tenants.length, deliveries - index) }, (_, at) => index + at);
    await Promise.all(together.map((at) => queue(tenantAt(at), `D-${at}`)));
  }
  const service = await startService(bench, variables);
  const started = performance.now();
  resetPeak(service.pid);
  const before = usageOf(service.pid);
  // Asked so that it costs nothing beside what is measured.
  const due = 'select 1 from outbound where due_at is not null limit 1';
  while ((await foundation.engine.get(due, [])) !== null) {
    if (!service.isRunning()) throw new Error('The service ended while it delivered.');
    await pause(LOOK_MS);
  }
  const perSecond = (deliveries * SECOND_MS) / (performance.now() - started);
  const usage = used(service.pid, before, deliveries);
  await service.stop();
  const stored = `select count(*) as n from outbound where status = ${OUTBOUND_STATUS.accepted} and ujp_sha256 is not null`;
  const row = await foundation.engine.get<{ readonly n: number }>(stored, []);
  if (row?.n !== deliveries) throw new Error(`Containers are stored of ${row?.n} of ${deliveries} documents.`);
  return { ...NO_FIGURES, perSecond, ...usage };
}

/** How many documents a second the simulator registers when they come signed and ready. */
async function authorityAlone(bench: Bench, { simulator, foundation, operator, reader }: Opened): Promise<Figures> {
  const { urls, issued } = simulator.facts;
  const { authority } = openAuthority(foundation);
  const signer = await createPemSigner(issued.certificatePem, issued.privateKeyPem);
  const calls: Call[] = [];
  for (let index = 0; index < bench.settings.deliveries * SIGNED_SHARE; index += 1) {
    bench.stop.throwIfAborted();
    const tenant = await operator.tenants.find(tenantAt(index));
    const content = await reader.content(tenant.edb, exampleOf(tenant.edb, `C-${index}`));
    const references = { leftOut: null, refusedOn: new Set<string>() };
    const prepared = await authority.prepare(tenant, firstDocUidAt(index), content, async () => [], references);
    if (prepared.outcome === 'failed') throw new Error(prepared.message);
    const requestTimestamp = await authority.requestTimestamp(tenant);
    const jws = await signer.sign(signedText(prepared.document.text, requestTimestamp));
    const headers = {
      'content-type': 'application/json',
      'X-EUJP-ID': eujpIdOf(tenant.edb),
      'X-EDB': tenant.edb,
      'X-SERIAL-NUMBER': issued.serialNumber,
      'X-DOC-TYPE-CODE': '100',
    };
    const path = `${new URL(urls.receiver).pathname.replace(/\/$/u, '')}/api/v1/sales-invoices/send`;
    const body = Buffer.from(JSON.stringify({ requestTimestamp, jws }));
    calls.push({ method: 'POST', path, headers, body, numberAt: null });
  }
  const loop = {
    kind: 'closed',
    connections: CONNECTIONS,
    ms: 0,
    atLeast: calls.length,
    atMost: calls.length,
  } as const;
  const plan = { url: new URL(urls.receiver).origin, calls, expected: [200] };
  return measured(simulator.pid, async () => load(await bench.shared(LOAD), { plan, loop }));
}
