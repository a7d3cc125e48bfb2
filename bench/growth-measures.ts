import { systemHasher } from '../src/adapters/platform/platform.ts';
import type { NewOutbound, OutboundFilter } from '../src/application/ports/storage/outbound-store.ts';
import type { Storage } from '../src/application/ports/storage/storage.ts';
import { type DocUid, firstDocUidAt } from '../src/domain/documents/doc-uid.ts';
import { OUTBOUND_STATUS } from '../src/domain/documents/outbound-status.ts';
import { PARTNERS, partnerOf, TENANT, timeOf } from './growth-shape.ts';

export type Figure = { readonly medianMs: number; readonly worstMs: number };
export type Figures = Readonly<Record<string, Figure>>;

const ROUNDS = 50;
/** Not counted: the first calls are compiled, connected and planned for. */
const WARM_UP = 5;
const PAGE_SIZE = 100;
/** As a worker asks: so many tenants in a round, so many documents of one. */
const TENANTS_OF_A_ROUND = 64;
const CLAIMED_AT_ONCE = 2;
const LEASE_MS = 60_000;
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

const { received, processing, sent, accepted, failed } = OUTBOUND_STATUS;
const ANYTHING: OutboundFilter = { created: { from: null, to: null }, statuses: null, partnerEdb: null };

/** Everything that must not grow slower with the number of documents. */
export async function measureAll(storage: Storage, documents: number): Promise<Figures> {
  return { ...(await measureLists(storage, documents)), ...(await measureOthers(storage, documents)) };
}

async function measureLists(storage: Storage, documents: number): Promise<Figures> {
  const partnerEdb = partnerOf(PARTNERS - 1);
  const half = { from: timeOf(documents / 4), to: timeOf((documents * 3) / 4) };
  const filters: Readonly<Record<string, OutboundFilter>> = {
    'no filter': ANYTHING,
    'status 40': { ...ANYTHING, statuses: [accepted] },
    'status 55': { ...ANYTHING, statuses: [failed] },
    'statuses 10, 20 and 30': { ...ANYTHING, statuses: [received, processing, sent] },
    partner: { ...ANYTHING, partnerEdb },
    'partner, status 40': { ...ANYTHING, partnerEdb, statuses: [accepted] },
    dateFrom: { ...ANYTHING, created: { from: half.from, to: null } },
    dateTo: { ...ANYTHING, created: { from: null, to: half.to } },
    'both dates, status 40': { ...ANYTHING, created: half, statuses: [accepted] },
    'both dates, partner, status 55': { created: half, partnerEdb, statuses: [failed] },
  };
  const figures: Record<string, Figure> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const { totalCount } = await storage.outbound.list(TENANT, filter, { page: 1, pageSize: 1 });
    const last = Math.max(1, Math.ceil(totalCount / PAGE_SIZE));
    const read = (page: number) => storage.outbound.list(TENANT, filter, { page, pageSize: PAGE_SIZE });
    figures[`${name}: first page`] = await measure(() => read(1));
    figures[`${name}: pages anywhere`] = await measure((round) => read(1 + Math.floor(last * spread(round))));
    figures[`${name}: last page`] = await measure(() => read(last));
    figures[`${name}: the count alone`] = await measure(() => read(last + 1));
  }
  return figures;
}

async function measureOthers(storage: Storage, documents: number): Promise<Figures> {
  const docUids = await someDocUids(storage, documents);
  const now = Date.now();
  const lease = { token: 'bench', until: now + LEASE_MS };
  let next = documents;
  const stored: DocUid[] = [];
  return {
    'one document with its history': await measure(async (round) => {
      const docUid = docUids[round] ?? firstDocUidAt(0);
      await storage.outbound.find(TENANT, docUid);
      await storage.outbound.history(TENANT, docUid);
    }),
    'tenants with something due': await measure(() =>
      storage.deliveries.tenantsDue('delivery', '', now, TENANTS_OF_A_ROUND),
    ),
    'claim of due documents': await measure(() =>
      storage.transaction((tx) => tx.deliveries.claim(TENANT, 'delivery', lease, now, CLAIMED_AT_ONCE)),
    ),
    'storing a document': await measure(async () => {
      const { docUid } = await storage.transaction((tx) => tx.outbound.add(TENANT, documentAt(next), timeOf(next)));
      stored.push(docUid);
      next += 1;
    }),
    'moving a document': await measure((round) =>
      storage.transaction((tx) =>
        tx.outbound.move(TENANT, stored[round] ?? firstDocUidAt(0), received, 'cancel', {
          at: timeOf(next),
          failureCode: null,
          failureMessage: null,
        }),
      ),
    ),
  };
}

/** Documents from everywhere in the list, one for each round. */
async function someDocUids(storage: Storage, documents: number): Promise<readonly DocUid[]> {
  const docUids: DocUid[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const page = { page: 1 + Math.floor(documents * spread(round)), pageSize: 1 };
    docUids.push(...(await storage.outbound.list(TENANT, ANYTHING, page)).items.map(({ docUid }) => docUid));
  }
  return docUids;
}

/** The next one of the same kind as those that were there before. */
function documentAt(seq: number): NewOutbound {
  const partnerEdb = partnerOf(seq);
  const bytes = new TextEncoder().encode(`<Invoice>${seq}</Invoice>`);
  const party = { name: 'Partner', taxNumber: partnerEdb, country: 'MK' };
  return {
    facts: {
      kind: 'Invoice',
      documentNumber: `G-${seq}`,
      typeCode: '380',
      amount: '1180.00',
      currency: 'MKD',
      issueDate: '2026-01-01',
      supplier: party,
      recipient: party,
    },
    partnerEdb,
    ubl: { bytes, sha256: systemHasher.sha256(bytes) },
    pdf: null,
    software: 'bench',
    holdMs: 0,
  };
}

/** A number from 0 to 1 that is far from those of the rounds before, so that no round finds what another has warmed. */
function spread(round: number): number {
  return (round * GOLDEN_RATIO) % 1;
}

async function measure(act: (round: number) => Promise<unknown>): Promise<Figure> {
  const durations: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const started = performance.now();
    await act(round);
    if (round >= WARM_UP) durations.push(performance.now() - started);
  }
  durations.sort((a, b) => a - b);
  return { medianMs: durations[ROUNDS / 2] ?? 0, worstMs: durations.at(-1) ?? 0 };
}
