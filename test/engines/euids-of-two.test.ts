import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpretErrors } from '../../src/adapters/ujp/answers/interpret-errors.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import type { DeliveryEvent } from '../../src/application/delivery/delivery.ts';
import { inspectOutbound } from '../../src/application/outbound/inspect-outbound.ts';
import type { Authority, Registration } from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { claimedVoid } from '../../src/application/voiding/claimed-void.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, fileOf, MORNING, newOutbound, newTenant } from './samples.ts';
import { voidNeeds } from './void-needs.ts';

const LEASE = { token: 'first', until: MORNING + 60_000 };
const OTHER_LEASE = { token: 'second', until: MORNING + 7_200_000 };
const PAYLOAD = { docTypeCode: '100', docNumber: '2026-1', docDate: '2026-11-16', docId: 'ID', text: '{}' };
const STORED = { ...PAYLOAD, warnings: [], requestTimestamp: '2026-11-16T09:00:00', sentAt: MORNING };
const REASON = { code: 'S-1', name: 'Reason', comment: null };
const EUID = '01a1e35e-c000-7aaa-8bbb-000000000001';
const OTHER_EUID = '01a1e35e-c000-7aaa-8bbb-000000000002';
const REGISTRATION: Registration = {
  euid: EUID,
  qrLink: null,
  registeredAt: '2026-11-16T08:00:01.000Z',
  status: { code: '01', name: null },
  message: null,
  answer: '{"ok":1}',
};

async function addAccepted(tx: Storage, edb: Edb, euid: string): Promise<DocUid> {
  const answer = { accepted: true, euid, qrLink: null, registeredAt: null, message: null, errors: [] };
  const ujp = { ...answer, statusCode: '01', statusName: null };
  return (await addOutboundIn(tx, edb, 40, newOutbound(), MORNING, { ujp })).docUid;
}

/** As the answer to another request has settled it. */
async function addVoided(tx: Storage, edb: Edb): Promise<DocUid> {
  const docUid = await addAccepted(tx, edb, OTHER_EUID);
  await tx.voids.request(edb, docUid, REASON, MORNING);
  await tx.voids.claim(edb, LEASE, MORNING, 100);
  const end = { dueAt: null, failures: 0, failureCode: null, failureMessage: null } as const;
  assert.ok(await tx.voids.settle(edb, docUid, LEASE.token, { ...end, state: 'registered', voidEuid: EUID }));
  return docUid;
}

const OWNERS = [
  ['another document', (tx: Storage, edb: Edb) => addAccepted(tx, edb, EUID), /which this document has/u],
  [
    'another document, in large letters',
    (tx: Storage, edb: Edb) => addAccepted(tx, edb, EUID.toUpperCase()),
    /which this document has/u,
  ],
  ['a void', addVoided, /which the void of this document has/u],
] as const;

onEveryEngine('an EUID that a look-up finds', (database) => {
  /** `listed` happens while the list is on its way, which the authority answers with what is found. */
  async function lookUp(
    add: (tx: Storage, edb: Edb) => Promise<DocUid>,
    isLate: boolean,
    found = REGISTRATION,
    listed: (tx: Storage, edb: Edb) => Promise<unknown> = async () => undefined,
  ) {
    const { storage } = database();
    const settings = newTenant({ eujpId: 'user' });
    const { edb } = settings;
    const [owner, docUid] = await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      const known = await add(tx, edb);
      const document = newOutbound({ holdMs: 0, ubl: fileOf('<Invoice/>') });
      const added = await addOutboundIn(tx, edb, 30, document, MORNING, { dueAt: MORNING });
      await tx.deliveries.savePayload(edb, added.docUid, STORED);
      return [known, added.docUid];
    });
    const claim = (lease: typeof LEASE, now: number) =>
      storage.transaction((tx) => tx.deliveries.claim(edb, 'delivery', lease, now, 10));
    const [document = assert.fail('not claimed')] = await claim(LEASE, MORNING);
    const tenant = (await storage.tenants.find(edb)) ?? assert.fail();
    const events: DeliveryEvent[] = [];
    const sharing: (boolean | undefined)[] = [];
    await deliverOutbound({
      storage,
      authority: {
        interpret: interpretErrors,
        sinceRequestMs: async () => 0,
        async findRegistered(_: unknown, { isNumberShared }: Parameters<Authority['findRegistered']>[1]) {
          await storage.transaction((tx) => listed(tx, edb));
          sharing.push(await isNumberShared?.(EUID));
          if (isLate) assert.equal((await claim(OTHER_LEASE, LEASE.until + 1)).length, 1);
          return found;
        },
      } as unknown as Authority,
      reader: { content: async () => '{}' },
      hasher: { sha256: (content) => fileOf(content).sha256 },
      clock: clockAt(),
      random: { bytes: (count) => new Uint8Array(count) },
      leaseMs: 60_000,
      outcomeWindowMs: 330_000,
      report: (event) => void events.push(event),
    })({ tenant, document, token: LEASE.token, claimedAt: MORNING });
    return { storage, edb, owner, docUid, events, sharing };
  }

  for (const [whose, add, named] of OWNERS) {
    for (const isLate of [false, true]) {
      test(`${isLate ? 'late ' : ''}and that ${whose} has is told: its answer was that to this one`, async () => {
        const { storage, edb, owner, docUid, events } = await lookUp(add, isLate);
        const found = await storage.outbound.find(edb, docUid);
        assert.deepEqual([found?.status, found?.ujp?.euid], [40, EUID]);
        assert.deepEqual(
          events.map((event) => [event.outcome, event.docUid]),
          [
            ['stray-registration', owner],
            ['accepted', docUid],
          ],
        );
        assert.match(events[0]?.message ?? '', new RegExp(`registered ${docUid} as ${EUID}`, 'u'));
        assert.match(events[0]?.message ?? '', named);
        const inspect = inspectOutbound({ storage });
        assert.deepEqual(
          (await inspect(edb, owner)).strayRegistrations.map(({ euid, act, status }) => ({ euid, act, status })),
          [{ euid: EUID, act: 'look-up', status: 40 }],
        );
        assert.deepEqual((await inspect(edb, docUid)).strayRegistrations, []);
      });
    }
  }

  test('by number and amount alone is not its own where another document has it, and is where none has', async () => {
    const presumed = { ...REGISTRATION, isPresumed: true };
    const taken = await lookUp((tx, edb) => addAccepted(tx, edb, EUID), false, presumed);
    const { storage } = taken;
    assert.equal((await storage.outbound.find(taken.edb, taken.docUid))?.status, 30);
    assert.deepEqual(taken.events, []);
    const free = await lookUp((tx, edb) => addAccepted(tx, edb, OTHER_EUID), false, presumed);
    assert.equal((await storage.outbound.find(free.edb, free.docUid))?.ujp?.euid, EUID);
  });

  test('may be that of another document of its number that was cancelled, and is registered all the same', async () => {
    const { facts } = newOutbound();
    const cancelled = (euid: string | null) => async (tx: Storage, edb: Edb) => {
      const document = newOutbound({ facts: { ...facts, documentNumber: PAYLOAD.docNumber } });
      const { docUid } = await addOutboundIn(tx, edb, 60, document, MORNING);
      const { registeredAt, answer } = REGISTRATION;
      const stray = { act: 'send', status: 60, registeredAt, recordedAt: MORNING, answer } as const;
      if (euid !== null) await tx.strayRegistrations.add(edb, docUid, { ...stray, euid });
      return docUid;
    };
    for (const euid of [EUID, EUID.toUpperCase()]) {
      assert.deepEqual((await lookUp(cancelled(euid), false)).sharing, [true]);
    }
    // That one is registered as something else, perhaps for years.
    for (const euid of [OTHER_EUID, null]) assert.deepEqual((await lookUp(cancelled(euid), false)).sharing, [false]);
  });

  test('may be that of another document of its number whose outcome is not known either', async () => {
    const { facts } = newOutbound();
    const ofNumber = (status: 30 | 50) => async (tx: Storage, edb: Edb) => {
      const document = newOutbound({ facts: { ...facts, documentNumber: PAYLOAD.docNumber, kind: 'CreditNote' } });
      return (await addOutboundIn(tx, edb, status, document, MORNING)).docUid;
    };
    assert.deepEqual((await lookUp(ofNumber(30), false)).sharing, [true]);
    assert.deepEqual((await lookUp(ofNumber(50), false)).sharing, [false]);
    const sentMeanwhile = await lookUp(ofNumber(50), false, REGISTRATION, ofNumber(30));
    assert.deepEqual(sentMeanwhile.sharing, [true]);
  });

  test('and that another document has gets its later statuses all the same, and the other none of them', async () => {
    const { storage, edb, owner, docUid } = await lookUp((tx, tenant) => addAccepted(tx, tenant, EUID), false);
    const status = { code: '05', name: null };
    const change = { euid: EUID.toUpperCase(), status, from: null, at: MORNING, reason: null };
    assert.ok(await storage.transaction((tx) => tx.deliveries.recordAuthorityStatus(edb, change, MORNING)));
    assert.equal((await storage.outbound.find(edb, docUid))?.ujp?.statusCode, '05');
    const history = await storage.outbound.history(edb, docUid);
    assert.equal(history.at(-1)?.failureCode, 'UJP-REJECTED-BY-BUYER');
    assert.equal((await storage.outbound.find(edb, owner))?.ujp?.statusCode, '01');
    assert.ok((await storage.outbound.history(edb, owner)).every(({ failureCode }) => failureCode === null));
  });

  test('for a void and that another document has is told too', async () => {
    const { storage } = database();
    const settings = newTenant({ eujpId: 'user' });
    const { edb } = settings;
    const [owner, docUid] = await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      const known = await addAccepted(tx, edb, EUID);
      const voided = await addAccepted(tx, edb, OTHER_EUID);
      await tx.voids.request(edb, voided, REASON, MORNING);
      return [known, voided];
    });
    const due = await storage.transaction((tx) => tx.voids.claim(edb, LEASE, MORNING, 100));
    const { needs, events } = voidNeeds(storage);
    const tenant = (await storage.tenants.find(edb)) ?? assert.fail();
    const mine = due.find((one) => one.tenant === edb) ?? assert.fail('not claimed');
    const lookedUp = { act: 'void-look-up', startedAt: MORNING, ordinal: null } as const;
    await claimedVoid(needs, tenant, mine, LEASE.token).registered(lookedUp, REGISTRATION);
    assert.deepEqual(
      events.map((event) => [event.state, event.docUid]),
      [
        ['stray-registration', owner],
        ['registered', docUid],
      ],
    );
    const inspect = inspectOutbound({ storage });
    assert.equal((await inspect(edb, owner)).strayRegistrations[0]?.euid, EUID);
    const { void: settled, strayRegistrations } = await inspect(edb, docUid);
    assert.deepEqual([settled?.state, settled?.voidEuid, strayRegistrations], ['registered', EUID, []]);
  });
});
