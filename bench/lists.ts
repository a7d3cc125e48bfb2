import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemHasher, systemRandom } from '../src/adapters/platform/platform.ts';
import { systemTimers } from '../src/adapters/platform/timers.ts';
import { migrate } from '../src/adapters/sql/migrate.ts';
import { openSqlite } from '../src/adapters/sql/sqlite/open-sqlite.ts';
import { createStorage } from '../src/adapters/sql/storage.ts';
import { readEdb } from '../src/application/accounts/manage-tenants.ts';
import type { OutboundFilter } from '../src/application/ports/storage/outbound-store.ts';
import type { Storage } from '../src/application/ports/storage/storage.ts';
import type { DocUid } from '../src/domain/documents/doc-uid.ts';
import { OUTBOUND_STATUS, type OutboundStatus } from '../src/domain/documents/outbound-status.ts';

/** How long a page takes with many documents, against the same page with few: the ratio should stay near one. */
const FEW = 2_000;
const MANY = Number(process.env['BENCH_DOCUMENTS'] ?? 100_000);
const ROUNDS = 200;
const PAGE_SIZE = 100;
const TENANT = readEdb('4030026000018');
const PARTNERS = ['4080026000023', '4001026000034', '5012026000048'];

const folder = await mkdtemp(join(tmpdir(), 'dostava-bench-'));
const engine = openSqlite(join(folder, 'lists.sqlite'), systemTimers);
await migrate(engine, systemTimers, Date.now());
const storage = createStorage(engine, systemRandom);

await fill(storage, 0, FEW);
const few = await measureAll(FEW);
await fill(storage, FEW, MANY);
const many = await measureAll(MANY);

console.log(`page of ${PAGE_SIZE} with its exact count    ${FEW} documents   ${MANY} documents   ratio`);
for (const [name, ms] of Object.entries(many)) {
  const base = few[name] ?? ms;
  console.log(
    `${name.padEnd(34)} ${base.toFixed(2).padStart(10)} ms   ${ms.toFixed(2).padStart(10)} ms   ${(ms / base).toFixed(1)}`,
  );
}
await engine.close();
await rm(folder, { recursive: true });

async function measureAll(documents: number): Promise<Record<string, number>> {
  const anything: OutboundFilter = { created: { from: null, to: null }, statuses: null, partnerEdb: null };
  const rare = { ...anything, statuses: [OUTBOUND_STATUS.failed] };
  const common = { ...anything, statuses: [OUTBOUND_STATUS.received, OUTBOUND_STATUS.failed] };
  const partner = { ...anything, partnerEdb: PARTNERS[0] ?? null };
  const until = { ...common, created: { from: 0, to: Date.now() - 1 } };
  const last = (share: number) => Math.floor((documents * share) / PAGE_SIZE);
  return {
    'first page': await measure(anything, 1),
    'middle page': await measure(anything, last(0.5)),
    'last page': await measure(anything, last(1)),
    'rare status, first page': await measure(rare, 1),
    'common status, middle page': await measure(common, last(0.5)),
    'partner, middle page': await measure(partner, last(1 / 6)),
    'partner and status, first page': await measure({ ...rare, partnerEdb: partner.partnerEdb }, 1),
    'dates and status, middle page': await measure(until, last(0.5)),
  };
}

async function measure(filter: OutboundFilter, page: number): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await storage.outbound.list(TENANT, filter, { page, pageSize: PAGE_SIZE });
    durations.push(performance.now() - started);
  }
  durations.sort((a, b) => a - b);
  return durations[ROUNDS / 2] ?? 0;
}

async function fill(into: Storage, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += 500) {
    await into.transaction(async (tx) => {
      for (let index = start; index < Math.min(start + 500, to); index += 1) await addOne(tx, index);
    });
  }
}

async function addOne(tx: Storage, index: number): Promise<void> {
  const bytes = new TextEncoder().encode(`document ${index}`);
  const partnerEdb = PARTNERS[index % PARTNERS.length] ?? null;
  const party = { name: 'Beta', taxNumber: partnerEdb, country: 'MK' };
  const facts = {
    kind: 'Invoice' as const,
    documentNumber: String(index),
    typeCode: '380',
    amount: '1180.00',
    currency: 'MKD',
    issueDate: '2026-01-01',
    supplier: party,
    recipient: party,
  };
  const ubl = { bytes, sha256: systemHasher.sha256(bytes) };
  const { docUid, at } = await tx.outbound.add(
    TENANT,
    { facts, partnerEdb, ubl, pdf: null, software: 'bench', holdMs: 0 },
    Date.now(),
  );
  if (index % 20 === 0) await fail(tx, docUid, OUTBOUND_STATUS.received, at);
}

async function fail(tx: Storage, docUid: DocUid, from: OutboundStatus, at: number): Promise<void> {
  await tx.outbound.move(TENANT, docUid, from, 'give-up', {
    at,
    failureCode: 'NOT-EXPRESSIBLE',
    failureMessage: 'bench',
  });
}
