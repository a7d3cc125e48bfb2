import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { BLOCK_SIZE } from '../../src/adapters/sql/list-index/list-index.ts';
import type { OutboundFilter } from '../../src/application/ports/storage/outbound-store.ts';
import { OUTBOUND_STATUSES, type OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import type { PageRequest } from '../../src/domain/values/page.ts';
import { onEveryEngine } from '../support/engines.ts';
import { fc } from '../support/seeds.ts';
import { addManyOutbound } from './add-many-outbound.ts';
import { cut, type ListedOutbound, matchingOutbound } from './naive-list.ts';
import { assertListIsTrue } from './recount.ts';
import { ANY_OUTBOUND, MORNING, newEdb, newOutbound, record } from './samples.ts';

const IS_LONG = process.env['TEST_LONG'] === '1';
/** At least two blocks and the beginning of one more, also of the frequent partner: a range can begin and end in, at and between them. */
const DOCUMENTS = (IS_LONG ? 4 : 2) * BLOCK_SIZE + 80;
/** How far from the border of a block questions begin and end. */
const NEAR = IS_LONG ? [-2, -1, 0, 1, 2] : [-1, 0, 1];
const QUESTIONS = IS_LONG ? 400 : 150;
const OFTEN = '4080026000023';
const RARE = '4001026000034';

/** Cancelled ones everywhere, refused ones at the borders of blocks, failed ones only far back, none accepted. */
function statusOf(seq: number): OutboundStatus {
  if ([0, 1, BLOCK_SIZE - 1].includes(seq % BLOCK_SIZE)) return 50;
  if (seq < 40 && seq % 4 === 0) return 55;
  if (seq > 2 * BLOCK_SIZE && seq < 3 * BLOCK_SIZE) return 20;
  return seq % 3 === 0 ? 60 : 10;
}

function partnerOf(seq: number): string | null {
  if (seq % 700 === 5) return RARE;
  return seq % 50 > 0 ? OFTEN : null;
}

const STATUS_SETS: readonly (readonly OutboundStatus[] | null)[] = [
  null,
  [10],
  [50],
  [55],
  [40],
  [60, 10],
  [20, 55],
  OUTBOUND_STATUSES,
];

/** Positions at, before and after every border of a block, and both ends. */
function edges(count: number): readonly number[] {
  const borders = Array.from({ length: Math.ceil(count / BLOCK_SIZE) + 1 }, (_, block) => block * BLOCK_SIZE);
  return [...new Set(borders.flatMap((border) => NEAR.map((distance) => border + distance)).concat(count))]
    .filter((seq) => seq >= 1 && seq <= count)
    .toSorted((a, b) => a - b);
}

onEveryEngine('lists of several thousand documents', (database) => {
  const tenant = newEdb();
  const model: ListedOutbound[] = [];

  before(async () => {
    const added = Array.from({ length: DOCUMENTS }, (_, index) => {
      const seq = index + 1;
      const document = newOutbound({ partnerEdb: partnerOf(seq) });
      return { document, at: MORNING + seq, status: statusOf(seq) };
    });
    const stored = await addManyOutbound(database().engine, tenant, added);
    for (const [index, { docUid, at }] of stored.entries()) {
      const seq = index + 1;
      model.unshift({ docUid, createdAt: at, partnerEdb: partnerOf(seq), status: statusOf(seq) });
    }
  });

  /** By filters, each of which asks for several pages; a filter that is made after a change sees it. */
  const expectedOf = new WeakMap<OutboundFilter, readonly ListedOutbound[]>();
  function matching(filter: OutboundFilter): readonly ListedOutbound[] {
    const expected = expectedOf.get(filter) ?? matchingOutbound(model, filter);
    expectedOf.set(filter, expected);
    return expected;
  }

  async function check(filter: OutboundFilter, page: PageRequest): Promise<void> {
    const { items, totalCount } = await database().storage.outbound.list(tenant, filter, page);
    const expected = cut(matching(filter), page);
    const question = JSON.stringify({ filter, page });
    assert.equal(totalCount, expected.totalCount, question);
    const listed = items.map(({ docUid, status }) => `${docUid} ${status}`);
    assert.deepEqual(
      listed,
      expected.items.map(({ docUid, status }) => `${docUid} ${status}`),
      question,
    );
  }

  test('the frequent partner has more than two blocks, too', () => {
    assert.ok(model.filter(({ partnerEdb }) => partnerEdb === OFTEN).length > 2 * BLOCK_SIZE + 1);
  });

  test('sequence, states and counters of every scope are true', () =>
    assertListIsTrue(database().engine, tenant, 'outbound'));

  for (const partnerEdb of [null, OFTEN, RARE]) {
    const whose = partnerEdb === null ? 'all' : partnerEdb === OFTEN ? 'a frequent partner' : 'a rare partner';

    test(`${whose}: a document is found at its place around every border of a block, for every set of statuses`, async () => {
      for (const statuses of STATUS_SETS) {
        const filter = { ...ANY_OUTBOUND, partnerEdb, statuses };
        const totalCount = matching(filter).length;
        for (const place of edges(totalCount)) await check(filter, { page: place, pageSize: 1 });
        await check(filter, { page: totalCount + 1, pageSize: 1 });
        await check(filter, { page: 2_147_483_647, pageSize: 500 });
      }
    });

    test(`${whose}: pages of the largest size, put together, are the whole list`, async () => {
      for (const statuses of STATUS_SETS) {
        const filter = { ...ANY_OUTBOUND, partnerEdb, statuses };
        const last = Math.ceil(matching(filter).length / 500);
        for (let page = 1; page <= last + 1; page += 1) await check(filter, { page, pageSize: 500 });
      }
    });

    test(`${whose}: a range of dates counts exactly, within one block, across two and across many`, async () => {
      const own = model.filter((document) => partnerEdb === null || document.partnerEdb === partnerEdb).toReversed();
      const borders = edges(own.length).map((seq) => own[seq - 1]?.createdAt ?? assert.fail());
      for (const [index, from] of borders.entries()) {
        for (const to of borders.slice(index)) {
          const statuses = STATUS_SETS[(index + to) % STATUS_SETS.length] ?? null;
          const filter = { created: { from, to }, partnerEdb, statuses };
          const totalCount = matching(filter).length;
          await check(filter, { page: 1, pageSize: 3 });
          await check(filter, { page: Math.max(1, totalCount), pageSize: 1 });
          await check(filter, { page: Math.ceil(totalCount / 200) + 1, pageSize: 100 });
        }
      }
    });
  }

  test('any question gets the answer of a naive list', async () => {
    const time = fc.option(
      fc.integer({ min: -5, max: DOCUMENTS + 5 }).map((ms) => MORNING + ms),
      { freq: 3 },
    );
    const question = fc.record({
      filter: fc.record({
        created: fc.record({ from: time, to: time }),
        statuses: fc.option(fc.subarray([...OUTBOUND_STATUSES])),
        partnerEdb: fc.constantFrom(null, OFTEN, RARE, '4099999999999'),
      }),
      page: fc.record({ page: fc.integer({ min: 1, max: 60 }), pageSize: fc.integer({ min: 1, max: 500 }) }),
    });
    await fc.assert(
      fc.asyncProperty(question, ({ filter, page }) => check(filter, page)),
      { numRuns: QUESTIONS },
    );
  });

  test('moving documents in the middle of the list keeps every counter true', async () => {
    const chosen = model.filter((document, index) => document.status === 10 && index % 17 === 0);
    await database().storage.transaction(async ({ outbound }) => {
      for (const document of chosen) {
        assert.ok(await outbound.move(tenant, document.docUid, 10, 'give-up', record(MORNING)));
        document.status = 55;
      }
    });
    await assertListIsTrue(database().engine, tenant, 'outbound');
    for (let page = 1; page <= 4; page += 1) await check({ ...ANY_OUTBOUND, statuses: [55] }, { page, pageSize: 50 });
    await check({ ...ANY_OUTBOUND, statuses: [10], partnerEdb: OFTEN }, { page: 3, pageSize: 400 });
  });
});
