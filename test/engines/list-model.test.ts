import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboundFilter } from '../../src/application/ports/storage/inbound-store.ts';
import type { NewOutbound, OutboundFilter } from '../../src/application/ports/storage/outbound-store.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { OUTBOUND_STATUSES, transition } from '../../src/domain/documents/outbound-status.ts';
import type { PageRequest } from '../../src/domain/values/page.ts';
import { onEveryEngine } from '../support/engines.ts';
import { OUTBOUND_EVENTS } from '../support/outbound-events.ts';
import { fc } from '../support/seeds.ts';
import { type ListedInbound, type ListedOutbound, naiveInbound, naiveOutbound, type Partner } from './naive-list.ts';
import { MORNING, newEdb, newInbound, newOutbound, record } from './samples.ts';

const PLAYS = process.env['TEST_LONG'] === '1' ? 100 : 25;

/** The last two are different partners whose numbers are shown alike but for blanks. */
const PARTNERS: readonly (Partner | null)[] = [
  { number: '4080026000023', country: 'MK' },
  { number: '4001026000034', country: 'MK' },
  { number: 'DE 123 456 789', country: 'DE' },
  { number: 'DE123456789', country: 'DE' },
  { number: '123 456 789', country: 'DE' },
  { number: 'FR123456789', country: 'FR' },
  { number: '4080 0260 00023', country: 'RS' },
  null,
];

const ASKED = [
  ...PARTNERS.map((one) => one?.number ?? null),
  'MK 4080026000023',
  'de123456789',
  'DE 123456789',
  'FR 123 456 789',
  '123456789',
  'AT123456789',
  '3456789',
  'RS4080026000023',
  '40800 26000023',
  '4099999999999',
];

/** Times lie close together, so that bounds fall on, between, before and after documents. */
const offset = fc.integer({ min: -3, max: 25 });
const partner = fc.constantFrom(...PARTNERS);
const which = fc.nat({ max: 50 });

const adding = fc.record({ act: fc.constant('add' as const), partner, clock: offset });
const moving = fc.record({ act: fc.constant('move' as const), which, event: fc.constantFrom(...OUTBOUND_EVENTS) });
const acknowledging = fc.record({ act: fc.constant('acknowledge' as const), which });

type Step = typeof adding | typeof moving | typeof acknowledging;
type StepOf<Kind extends Step> = Kind extends fc.Arbitrary<infer Value> ? Value : never;

const bound = fc.option(offset.map((ms) => MORNING + ms));
const range = fc.record({ from: bound, to: bound });
const pages: fc.Arbitrary<PageRequest> = fc.record({
  page: fc.integer({ min: 1, max: 6 }),
  pageSize: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(500)),
});
const anyPartner = fc.constantFrom(...ASKED);

const outboundQuery = fc.record({
  filter: fc.record({
    created: range,
    statuses: fc.option(fc.subarray([...OUTBOUND_STATUSES])),
    partnerEdb: anyPartner,
  }) satisfies fc.Arbitrary<OutboundFilter>,
  page: pages,
});

const inboundQuery = fc.record({
  filter: fc.record({
    received: range,
    senderEdb: anyPartner,
    onlyNotImported: fc.boolean(),
  }) satisfies fc.Arbitrary<InboundFilter>,
  page: pages,
});

function outboundTo(to: Partner | null): NewOutbound {
  const { facts, ...rest } = newOutbound({ partnerEdb: to?.number ?? null });
  const recipient = { name: 'Beta', taxNumber: to?.number ?? null, country: to?.country ?? null };
  return { ...rest, facts: { ...facts, recipient } };
}

async function playOutbound(
  storage: Storage,
  tenant: Edb,
  steps: readonly StepOf<typeof adding | typeof moving>[],
): Promise<readonly ListedOutbound[]> {
  const model: ListedOutbound[] = [];
  await storage.transaction(async ({ outbound }) => {
    for (const step of steps) {
      if (step.act === 'add') {
        const { docUid, at } = await outbound.add(tenant, outboundTo(step.partner), MORNING + step.clock);
        const { number = null, country = 'MK' } = step.partner ?? {};
        model.push({ docUid, createdAt: at, partnerEdb: number, partnerCountry: country, status: 10 });
        continue;
      }
      const document = model[step.which % Math.max(1, model.length)];
      const to = document === undefined ? null : transition(document.status, step.event);
      if (document === undefined || to === null) continue;
      assert.ok(await outbound.move(tenant, document.docUid, document.status, step.event, record(MORNING)));
      document.status = to;
    }
  });
  return model;
}

async function playInbound(
  storage: Storage,
  tenant: Edb,
  steps: readonly StepOf<typeof adding | typeof acknowledging>[],
): Promise<readonly ListedInbound[]> {
  const model: ListedInbound[] = [];
  await storage.transaction(async ({ inbound }) => {
    for (const step of steps) {
      if (step.act === 'add') {
        const from = { senderEdb: step.partner?.number ?? null, senderCountry: step.partner?.country ?? null };
        const { stored } = await inbound.add(tenant, newInbound(from), MORNING + step.clock);
        const { country = 'MK' } = step.partner ?? {};
        const { docUid, at: receivedAt } = stored;
        model.push({ docUid, receivedAt, senderEdb: from.senderEdb, senderCountry: country, ackedAt: null });
        continue;
      }
      const document = model[step.which % Math.max(1, model.length)];
      if (document === undefined) continue;
      const isFirst = await inbound.acknowledge(tenant, document.docUid, MORNING + step.which);
      assert.equal(isFirst, document.ackedAt === null);
      // Never before the arrival, whatever the clock says.
      document.ackedAt ??= Math.max(document.receivedAt, MORNING + step.which);
    }
  });
  return model;
}

onEveryEngine('lists equal a naive list', (database) => {
  test('outbound: whatever was added and moved, whatever is asked', async () => {
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: adding }, { weight: 4, arbitrary: moving }), {
      maxLength: 60,
    });
    const property = fc.asyncProperty(
      steps,
      fc.array(outboundQuery, { minLength: 5, maxLength: 15 }),
      async (play, queries) => {
        const tenant = newEdb();
        const { storage } = database();
        const model = await playOutbound(storage, tenant, play);
        for (const { filter, page } of queries) {
          const { items, totalCount } = await storage.outbound.list(tenant, filter, page);
          const expected = naiveOutbound(model, filter, page);
          assert.deepEqual(
            [totalCount, ...items.map((one) => [one.docUid, one.createdAt, one.partnerEdb, one.status])],
            [
              expected.totalCount,
              ...expected.items.map((one) => [one.docUid, one.createdAt, one.partnerEdb, one.status]),
            ],
          );
        }
      },
    );
    await fc.assert(property, { numRuns: PLAYS });
  });

  test('inbound: whatever arrived and was acknowledged, whatever is asked', async () => {
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: adding }, { weight: 2, arbitrary: acknowledging }), {
      maxLength: 50,
    });
    const property = fc.asyncProperty(
      steps,
      fc.array(inboundQuery, { minLength: 5, maxLength: 15 }),
      async (play, queries) => {
        const tenant = newEdb();
        const { storage } = database();
        const model = await playInbound(storage, tenant, play);
        for (const { filter, page } of queries) {
          const { items, totalCount } = await storage.inbound.list(tenant, filter, page);
          const expected = naiveInbound(model, filter, page);
          assert.deepEqual(
            [totalCount, ...items.map((one) => [one.docUid, one.receivedAt, one.senderEdb, one.ackedAt])],
            [
              expected.totalCount,
              ...expected.items.map((one) => [one.docUid, one.receivedAt, one.senderEdb, one.ackedAt]),
            ],
          );
        }
      },
    );
    await fc.assert(property, { numRuns: PLAYS });
  });

  test('a status that is asked for twice is listed once', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const model = await playOutbound(storage, tenant, [{ act: 'add', partner: null, clock: 0 }]);
    const filter: OutboundFilter = { created: { from: null, to: null }, statuses: [10, 60, 10], partnerEdb: null };
    const { items, totalCount } = await storage.outbound.list(tenant, filter, { page: 1, pageSize: 10 });
    assert.deepEqual([items.map(({ docUid }) => docUid), totalCount], [model.map(({ docUid }) => docUid), 1]);
  });

  test('an empty tax number is nobody: it finds nothing', async () => {
    const tenant = newEdb();
    const { storage } = database();
    await playOutbound(storage, tenant, [{ act: 'add', partner: null, clock: 0 }]);
    const filter: OutboundFilter = { created: { from: null, to: null }, statuses: null, partnerEdb: '' };
    const { totalCount } = await storage.outbound.list(tenant, filter, { page: 1, pageSize: 10 });
    assert.equal(totalCount, 0);
  });
});
