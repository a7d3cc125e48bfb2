import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOwnRegistration } from '../../src/application/delivery/lost-answers/find-own-registration.ts';
import { recordMistaken } from '../../src/application/delivery/settlement/mistaken-owner.ts';
import type {
  Authority,
  Registration,
  VoidedDocument,
  VoidPreparation,
} from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { claimedVoid } from '../../src/application/voiding/claimed-void.ts';
import { sendVoid } from '../../src/application/voiding/send-void.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { Tenant } from '../../src/domain/accounts/tenant.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { message } from '../../src/domain/messages/message.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';
import { voidNeeds } from './void-needs.ts';

const LEASE = { token: 'first', until: MORNING + 60_000 };
const REASON = { code: 'S-1', name: 'Reason', comment: null };
const VOID = { docTypeCode: '100', docNumber: 'ID', docDate: '2026-11-16', docId: 'ID', text: '{}' };
const EUID = '01a1e35e-c000-7aaa-8bbb-000000000001';
const OTHER_EUID = '01a1e35e-c000-7aaa-8bbb-000000000002';
const VOID_EUID = '01a1e35e-c000-7aaa-8bbb-000000000003';

function registrationAs(euid: string): Registration {
  return {
    ...{ euid, qrLink: null, registeredAt: null, message: null, answer: null },
    status: { code: '01', name: null },
  };
}

async function addAccepted(tx: Storage, edb: Edb, euid: string): Promise<DocUid> {
  const answer = { accepted: true, euid, qrLink: null, registeredAt: null, message: null, errors: [] };
  const ujp = { ...answer, statusCode: '01', statusName: null };
  return (await addOutboundIn(tx, edb, 40, newOutbound(), MORNING, { ujp })).docUid;
}

type Meanwhile = { readonly timed?: () => Promise<unknown>; readonly waited?: () => Promise<unknown> };

onEveryEngine('the void of a document', (database) => {
  /** Two registered documents; the void of the first one is due. */
  async function requested() {
    const { storage } = database();
    const settings = newTenant({ eujpId: 'user' });
    const { edb } = settings;
    const [docUid, other] = await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      const added = [await addAccepted(tx, edb, EUID), await addAccepted(tx, edb, OTHER_EUID)] as const;
      await tx.voids.request(edb, added[0], REASON, MORNING);
      return added;
    });
    return { storage, edb, docUid, other };
  }

  /** `timed` happens while the authority is asked for its time, `waited` while the request waits for its turn. */
  async function send(
    storage: Storage,
    edb: Edb,
    prepared: VoidPreparation,
    { timed = async () => undefined, waited = async () => undefined }: Meanwhile = {},
  ) {
    const sent: string[] = [];
    const authority = {
      prepareVoid: async () => prepared,
      async requestTimestamp() {
        await timed();
        return '2026-11-16T09:00:00';
      },
      async send(...[, { docNumber, lastCheck }]: Parameters<Authority['send']>) {
        await waited();
        await lastCheck?.();
        sent.push(docNumber);
        return registrationAs(VOID_EUID);
      },
    };
    const { needs, events } = voidNeeds(storage, authority);
    const tenant = (await storage.tenants.find(edb)) ?? assert.fail();
    const due = await storage.transaction((tx) => tx.voids.claim(edb, LEASE, MORNING, 100));
    const mine = due.find((one) => one.tenant === edb) ?? assert.fail('not claimed');
    await sendVoid(needs, claimedVoid(needs, tenant, mine, LEASE.token));
    return { sent, events };
  }

  test('is not sent where a look-up has found, since it was requested, that the EUID is that of another', async () => {
    for (const found of ['before', 'timed', 'waited'] as const) {
      const { storage, edb, docUid, other } = await requested();
      const registration = registrationAs(EUID);
      const lookUp = { act: 'look-up', recordedAt: MORNING, registration, docUid: other } as const;
      const tell = () => storage.transaction((tx) => recordMistaken(tx, edb, { docUid, isVoid: false }, lookUp));
      if (found === 'before') await tell();
      const { sent } = await send(storage, edb, { outcome: 'prepared', document: VOID }, { [found]: tell });
      assert.deepEqual(sent, []);
      const { state, failureMessage } = (await storage.voids.find(edb, docUid)) ?? assert.fail();
      assert.equal(state, 'failed');
      assert.match(failureMessage ?? '', /has the EUID of another one, which would be voided in its place/u);
      const attempts = await storage.deliveries.attempts(edb, docUid);
      assert.deepEqual(
        attempts.map(({ act, outcome }) => [act, outcome]),
        found === 'waited' ? [['void-send', 'failed']] : [],
      );
    }
  });

  test('has a number that tells nothing while another void of that number has no known outcome', async () => {
    const { storage, edb, docUid, other } = await requested();
    await storage.transaction((tx) => tx.voids.request(edb, other, REASON, MORNING));
    const due = await storage.transaction((tx) => tx.voids.claim(edb, LEASE, MORNING, 100));
    const tenant = (await storage.tenants.find(edb)) ?? assert.fail();
    const shared: (boolean | undefined)[] = [];
    const { needs } = voidNeeds(storage, {
      async prepareVoid(_: Tenant, { isNumberShared }: VoidedDocument) {
        shared.push(await isNumberShared(VOID.docNumber, VOID_EUID));
        return { outcome: 'failed', reason: message('void-not-voidable') };
      },
      async findRegistered(_: Tenant, { isNumberShared }: Parameters<Authority['findRegistered']>[1]) {
        shared.push(await isNumberShared?.(VOID_EUID));
        return null;
      },
    });
    const claimedOf = (one: DocUid) =>
      claimedVoid(needs, tenant, due.find((found) => found.docUid === one) ?? assert.fail(), LEASE.token);
    const lookUp = () => findOwnRegistration(needs, tenant, VOID, { docUid, isVoid: true });
    await lookUp();
    const attempt = (await claimedOf(other).beginSend(VOID, '2026-11-16T09:00:00')) ?? assert.fail();
    await lookUp();
    await sendVoid(needs, claimedOf(docUid));
    await claimedOf(other).registered(attempt, registrationAs(VOID_EUID));
    await lookUp();
    assert.deepEqual(shared, [false, true, true, false]);
  });

  test('is sent where what has its number, known by that and the amount alone, is another one', async () => {
    const { storage, edb, docUid, other } = await requested();
    const registration = { ...registrationAs(OTHER_EUID), isPresumed: true };
    const { sent, events } = await send(storage, edb, { outcome: 'registered', registration, document: VOID });
    assert.deepEqual(sent, [VOID.docNumber]);
    const { state, voidEuid } = (await storage.voids.find(edb, docUid)) ?? assert.fail();
    assert.deepEqual([state, voidEuid], ['registered', VOID_EUID]);
    assert.deepEqual(
      events.map((event) => [event.state, event.docUid]),
      [['registered', docUid]],
    );
    assert.deepEqual(await storage.strayRegistrations.list(edb, other), []);
  });

  test('is not sent where what has its number, known by that and the amount alone, is no other one', async () => {
    const { storage, edb, docUid } = await requested();
    const registration = { ...registrationAs(VOID_EUID), isPresumed: true };
    const { sent } = await send(storage, edb, { outcome: 'registered', registration, document: VOID });
    assert.deepEqual(sent, []);
    assert.equal((await storage.voids.find(edb, docUid))?.voidEuid, VOID_EUID);
  });
});
