import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { ALFA_EDB } from '../../test/support/ubl-samples.ts';
import { capturedRows } from '../baselines/captured-rows.ts';
import type { StoredRow } from '../baselines/raw-order.ts';
import type { Bench } from '../bench.ts';
import { assertListsAreTrue } from '../growth/check-lists.ts';
import { seedDocuments, seedOthers } from '../growth/seed-documents.ts';
import { TENANT } from '../growth/shape.ts';
import type { Child } from '../processes/children.ts';
import { documentOf, type Size } from '../scenarios/documents.ts';
import { createDatabase, type Database, type EngineName, tidy } from './databases.ts';
import { productionVariables } from './production-variables.ts';
import { type Addresses, startService } from './start-service.ts';

export type Headers = Readonly<Record<string, string>>;

/** A running service that takes calls and delivers nothing, on a database that is about as full as one that was used for a while. */
export type OpenedInterface = {
  readonly database: Database;
  readonly service: () => Child<Addresses>;
  /** Of the taxpayer that submits, and of the one that has many documents. */
  readonly submitter: Headers;
  readonly owner: Headers;
  /** What one submission stores. */
  readonly rowsOf: (size: Size) => Promise<readonly StoredRow[]>;
  readonly raw: () => Promise<Child>;
  /** Lets the list of the owner grow, with the service at rest. */
  readonly growTo: (documents: number) => Promise<void>;
  /** A process that has done nothing yet. */
  readonly restart: () => Promise<void>;
  readonly call: (headers: Headers, path: string) => Promise<unknown>;
  readonly submit: (size: Size, number: number) => Promise<string>;
  readonly close: () => Promise<void>;
};

const UNLIMITED_CALLS = 100_000_000;
const FEW_TENANTS = 100;
const MANY_TENANTS = 10_000;
const MANY = 1_000_000;
const INBOUND = 500;

export async function openInterface(bench: Bench, engine: EngineName): Promise<OpenedInterface> {
  const database = await createDatabase(bench, engine);
  const variables = { ...productionVariables(), ...database.variables, ROLE: 'api' };
  const { submitter, owner } = await prepare(variables);
  const patient = database.openPatiently();
  let service = await startService(bench, variables);
  let raw: Promise<Child> | null = null;
  let documents = 0;
  let tenants = 0;

  async function seedTenants(to: number): Promise<void> {
    if (tenants < to) await seedOthers(patient, tenants, to);
    tenants = to;
  }

  async function grow(to: number): Promise<void> {
    if (documents >= to) return;
    await service.stop();
    await seedTenants(to >= MANY ? MANY_TENANTS : FEW_TENANTS);
    await seedDocuments(patient, documents, to, bench.stop);
    documents = to;
    await tidy(database, patient);
    await assertListsAreTrue(patient, createStorage(patient, systemRandom), to);
    service = await startService(bench, variables);
  }

  const opened: OpenedInterface = {
    database,
    service: () => service,
    submitter,
    owner,
    rowsOf: (size) => capturedRows(patient, async () => void (await opened.submit(size, 1))),
    raw() {
      raw ??= bench.children.start('baselines/raw-engine', { variables: { BENCH_DATABASE: database.place } });
      return raw;
    },
    growTo: grow,
    async restart() {
      await service.stop();
      service = await startService(bench, variables);
    },
    async call(headers, path) {
      const answer = await fetch(`${service.facts.url}${path}`, { headers });
      if (!answer.ok) throw new Error(`HTTP ${answer.status} from ${path}: ${await answer.text()}`);
      return answer.json();
    },
    async submit(size, number) {
      const { bytes, numberAt } = documentOf(size);
      const body = Buffer.from(bytes);
      body.write(`B${size.replaceAll(' ', '')}${number}`.padEnd(9, '-').slice(0, 9), numberAt, 'latin1');
      const headers = { ...submitter, 'X-Idempotency-Key': `${size} ${number}` };
      const answer = await fetch(`${service.facts.url}/api/integration/v1/outbound`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
      return ((await answer.json()) as { readonly docUid: string }).docUid;
    },
    async close() {
      await Promise.all([service.stop(), raw?.then((child) => child.stop())]);
      await patient.close();
      await database.remove();
    },
  };
  return opened;
}

/** Two taxpayers with a key each, and documents that one of them has received. */
async function prepare(variables: Readonly<Record<string, string>>) {
  const foundation = await openFoundation(readConfig(variables));
  const reader = openReader(systemTimers, 1);
  const operator = createOperator(foundation, reader);
  const headers: Headers[] = [];
  for (const edb of [readEdb(ALFA_EDB), TENANT]) {
    await operator.tenants.add({ edb, name: edb, environment: 'production', outboundEnabled: true, eujpId: edb });
    const { secret } = await operator.keys.issue({ tenant: edb, software: 'bench', callsPerMinute: UNLIMITED_CALLS });
    headers.push({ 'X-Api-Key': secret, 'X-Software-Id': 'bench/1.0' });
  }
  const { bytes } = documentOf('9 kB');
  await foundation.storage.transaction(async (tx) => {
    for (let index = 0; index < INBOUND; index += 1) {
      const original = { bytes: Buffer.concat([bytes, Buffer.from(`<!-- ${index} -->`)]) };
      const file = { bytes: original.bytes, sha256: systemHasher.sha256(original.bytes) };
      await tx.inbound.add(
        TENANT,
        {
          deduplicationKey: `euid:${index}`,
          original: file,
          ubl: file,
          pdf: null,
          fileName: `${index}.xml`,
          senderName: 'Alfa',
          senderEdb: ALFA_EDB,
          senderCountry: 'MK',
          documentNumber: String(index),
          amount: '118.00',
          currency: 'MKD',
          authorityStatus: null,
        },
        foundation.clock.now(),
      );
    }
  });
  await reader.close();
  await foundation.engine.close();
  const [submitter = {}, owner = {}] = headers;
  return { submitter, owner };
}
