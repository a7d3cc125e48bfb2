import { systemRandom } from '../src/adapters/platform/platform.ts';
import { systemTimers } from '../src/adapters/platform/timers.ts';
import { migrate } from '../src/adapters/sql/migrate.ts';
import { createStorage } from '../src/adapters/sql/storage.ts';
import type { Storage } from '../src/application/ports/storage/storage.ts';
import { assertListsAreTrue } from './growth-check.ts';
import { GROWTH_DATABASES, type GrowthDatabase } from './growth-databases.ts';
import { type Figures, measureAll } from './growth-measures.ts';
import { seedDocuments, seedOthers } from './growth-seed.ts';
import { DOCUMENTS, TENANT } from './growth-shape.ts';

/**
 * How long the everyday acts take when one tenant has very many documents among very many tenants, against the same acts on
 * the same database when it was small: the ratio should stay near one. BENCH_DOCUMENTS says how many, BENCH_DATABASE on
 * which engine (`sqlite` or `postgres`; both where it is not set).
 */
const FEW_DOCUMENTS = 10_000;
const FEW_TENANTS = 100;
const MANY_TENANTS = 10_000;
const GIB = 2 ** 30;
const WIDTH = 48;

const chosen = process.env['BENCH_DATABASE'];
for (const [name, create] of Object.entries(GROWTH_DATABASES)) {
  if (chosen !== undefined && chosen !== name) continue;
  console.log(`${name}: seeding`);
  const database = await create();
  try {
    await compare(name, database);
  } finally {
    await database.remove();
  }
}

async function compare(name: string, database: GrowthDatabase): Promise<void> {
  await migrate(database.patient, systemTimers, Date.now());
  const storage = createStorage(database.engine, systemRandom);
  await seedOthers(database.patient, 0, FEW_TENANTS);
  const few = await grow(database, storage, FEW_DOCUMENTS);
  await seedOthers(database.patient, FEW_TENANTS, MANY_TENANTS);
  const many = await grow(database, storage, DOCUMENTS);
  const gib = (await database.bytes()) / GIB;
  console.log(`${name}: ${MANY_TENANTS} tenants, ${gib.toFixed(1)} GiB; pages of 100 with their exact counts`);
  print(few, many);
}

/** Measures once the tenant has so many documents and they are known to be counted truly. */
async function grow({ patient, tidy }: GrowthDatabase, storage: Storage, documents: number): Promise<Figures> {
  await seedDocuments(patient, await count(storage), documents);
  await tidy();
  await assertListsAreTrue(patient, storage, documents);
  console.log(`  measuring with ${documents} documents`);
  return measureAll(storage, documents);
}

async function count(storage: Storage): Promise<number> {
  const anything = { created: { from: null, to: null }, statuses: null, partnerEdb: null };
  return (await storage.outbound.list(TENANT, anything, { page: 1, pageSize: 1 })).totalCount;
}

function print(few: Figures, many: Figures): void {
  const cells = (...texts: readonly string[]) => texts.map((text) => text.padStart(10)).join('');
  console.log(
    `${'median and worst, ms'.padEnd(WIDTH)}${cells(String(FEW_DOCUMENTS), '', String(DOCUMENTS), '', 'ratio')}`,
  );
  for (const [name, { medianMs, worstMs }] of Object.entries(many)) {
    const base = few[name] ?? { medianMs, worstMs };
    const figures = [base.medianMs, base.worstMs, medianMs, worstMs].map((ms) => ms.toFixed(2));
    console.log(`${name.padEnd(WIDTH)}${cells(...figures, (medianMs / base.medianMs).toFixed(1))}`);
  }
}
