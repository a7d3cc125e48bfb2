import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { OperatorCommand, RecordCommand } from '../../src/application/audit/record-command.ts';
import { AuthorityCallError } from '../../src/application/ports/authority.ts';
import { holdDelivery } from '../../src/application/recovery/hold-delivery.ts';
import { reconcile } from '../../src/application/recovery/reconcile.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { RESTORED } from '../../src/domain/operations/delivery-hold.ts';
import { daysAfter, skopjeDay } from '../../src/domain/values/skopje-day.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A document may be dated so much earlier than it is sent. */
const DATED_EARLIER_DAYS = 62;
const WINDOW_MS = 300_000;
/** What a release says that ends a hold of all alone. */
const RELEASED = { isEnded: true, ended: null, isWithoutComparison: false, left: null, released: [], uncompared: [] };
const REASON = 'the network is being mended';
const UJP = {
  ...{ accepted: true, euid: '019b8d43-7840-7433-b358-00000000a001', qrLink: null, registeredAt: null },
  ...{ statusCode: '01', statusName: null, message: null, errors: [] },
};

const register = {
  registeredBetween: async () => [],
  registeredMarks: () => assert.fail('nothing is registered'),
  docIdOf: () => assert.fail('nothing is registered'),
};

onEveryEngine('the hold after a restore, beside one that an operator began', (database) => {
  const recorded: OperatorCommand[] = [];
  const record: RecordCommand = async (_, command) => void recorded.push(command);
  const at = (time: number) => holdDelivery({ storage: database().storage, clock: clockAt(time), record });
  const compare = (now: number) => {
    const needs = { storage: database().storage, register, clock: clockAt(now), record, outcomeWindowMs: WINDOW_MS };
    return reconcile(needs)(now, () => undefined);
  };
  afterEach(async () => {
    while ((await at(0).release()).isEnded);
  });

  test('stays when the other one is begun and ended', async () => {
    await at(MORNING).hold(RESTORED);
    await at(MORNING + 1).hold(REASON);
    const restored = { since: MORNING, at: MORNING };
    assert.deepEqual(await database().storage.deliveryHold.find(), { reason: REASON, since: MORNING + 1, restored });
    await at(MORNING + 2).hold('for longer');
    const left = { reason: RESTORED, since: MORNING, restored };
    const ended = { reason: 'for longer', since: MORNING + 2, restored };
    assert.deepEqual(await at(0).release(), { ...RELEASED, ended, left });
    assert.deepEqual(await database().storage.deliveryHold.find(), left);
    assert.deepEqual(await at(0).release(), { ...RELEASED, ended: left, isWithoutComparison: true });
    assert.deepEqual(await at(0).release(), { ...RELEASED, isEnded: false });
  });

  test('does not end the other one, whichever was first', async () => {
    await at(MORNING).hold(REASON);
    await at(MORNING + 1).hold(RESTORED);
    const early = await compare(MORNING + WINDOW_MS);
    assert.deepEqual([early.isReleased, early.repeatAfter], [false, MORNING + 1 + WINDOW_MS]);
    const { isReleased, stillHeld } = await compare(MORNING + HOUR_MS);
    assert.deepEqual([isReleased, stillHeld], [true, REASON]);
    assert.deepEqual(await database().storage.deliveryHold.find(), { reason: REASON, since: MORNING, restored: null });
  });

  /** A tenant that the authority is asked for. */
  async function tenantWithAccount() {
    const tenant = newTenant();
    await database().storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    await giveAccount(tenant.edb);
    return tenant.edb;
  }

  async function giveAccount(edb: Edb) {
    const facts = { certificate: '', serialNumber: 'A1', validTo: MORNING, changedAt: MORNING };
    const sealed = { sealedKey: new Uint8Array(1), sealedBy: 'AAAAAAAA' };
    await database().storage.transaction(async (tx) => {
      const tenant = (await tx.tenants.find(edb)) ?? assert.fail();
      await tx.tenants.update({ ...tenant, eujpId: 'eujp-1' });
      await tx.credentials.save({ tenant: edb, ...facts, ...sealed });
    });
  }

  /** The first day that the authority is asked for about the tenant when an operator gives the present time. */
  async function comparedFrom(now: number, tenant: Edb) {
    const asked: string[] = [];
    const listing = {
      ...register,
      async registeredBetween({ edb }: { readonly edb: Edb }, from: string) {
        if (edb === tenant) asked.push(from);
        return [];
      },
    };
    const { storage } = database();
    const needs = { storage, register: listing, clock: clockAt(now), record, outcomeWindowMs: 2 * HOUR_MS };
    const { repeatAfter } = await reconcile(needs)(now, () => undefined);
    return { from: asked.toSorted()[0], repeatAfter };
  }

  const dayBefore = (days: number) => daysAfter(skopjeDay(MORNING), -days - DATED_EARLIER_DAYS);

  test('a second restore counts for the time to wait, the first for what the database knew', async () => {
    const { storage } = database();
    const tenant = await tenantWithAccount();
    await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING - 90 * DAY_MS));
    await at(MORNING).hold(RESTORED);
    // It came while nothing was sent, and was saved with the hold.
    await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING + HOUR_MS));
    await at(MORNING + 2 * HOUR_MS).hold(RESTORED);
    assert.deepEqual((await database().storage.deliveryHold.find())?.restored, {
      since: MORNING,
      at: MORNING + 2 * HOUR_MS,
    });
    const { from, repeatAfter } = await comparedFrom(MORNING + 3 * HOUR_MS, tenant);
    assert.equal(repeatAfter, MORNING + 4 * HOUR_MS);
    assert.equal(from, dayBefore(90));
  });

  test('a later status that is read after the restore tells nothing of when the backup was taken', async () => {
    const { storage } = database();
    const tenant = await tenantWithAccount();
    const { euid } = UJP;
    await storage.transaction((tx) =>
      addOutboundIn(tx, tenant, 40, newOutbound(), MORNING - 80 * DAY_MS, { ujp: UJP }),
    );
    await at(MORNING).hold(RESTORED);
    // The buyer refused it between the backup and the restore.
    const refused = { code: '05', name: null };
    const change = { euid, status: refused, from: null, at: MORNING - DAY_MS, reason: null };
    await storage.transaction((tx) => tx.deliveries.recordAuthorityStatus(tenant, change, MORNING + HOUR_MS));
    assert.equal((await comparedFrom(MORNING + 3 * HOUR_MS, tenant)).from, dayBefore(80));
  });

  test('a taxpayer that gets its account after the comparison is held until it is compared, or released', async () => {
    const { storage } = database();
    const uncompared = async () => (await storage.deliveryHold.uncompared()).map(({ tenant }) => tenant);
    const [without, other] = [newTenant(), newTenant({ eujpId: 'eujp-1' })];
    await storage.transaction(async (tx) => {
      for (const tenant of [without, other]) await tx.tenants.add(tenant, MORNING - 9 * DAY_MS);
      await tx.outbound.add(other.edb, newOutbound(), MORNING - 70 * DAY_MS);
    });
    for (const end of ['comparison', 'release'] as const) {
      await storage.transaction((tx) => tx.credentials.remove(without.edb));
      await at(MORNING).hold(RESTORED);
      assert.equal((await compare(MORNING + HOUR_MS)).isReleased, true);
      assert.deepEqual(await uncompared(), [], 'without an account nothing is sent anyway');
      assert.equal(await storage.deliveryHold.isHeldFor(without.edb), true);
      await giveAccount(without.edb);
      assert.deepEqual(await uncompared(), [without.edb]);
      // A hold of an operator says nothing of the restore.
      await at(MORNING + HOUR_MS).hold(REASON);
      const { ended, ...other } = await at(0).release();
      assert.deepEqual([ended?.reason, other.isWithoutComparison], [REASON, false]);
      assert.ok(other.uncompared.includes(without.edb), 'it is said that it is held still');
      assert.deepEqual(other.released, []);
      assert.deepEqual(await uncompared(), [without.edb]);
      if (end === 'release') {
        const last = await at(0).release();
        assert.deepEqual([last.ended, last.isWithoutComparison, last.uncompared], [null, true, []]);
        assert.ok(last.released.includes(without.edb), 'it is said whose protection ended');
        assert.deepEqual(
          recorded.filter(({ tenant }) => tenant === without.edb),
          [{ command: 'release', target: RESTORED, tenant: without.edb }],
        );
      }
      // Of the last that was known before the restore, whenever the operator says the backup was taken.
      else assert.equal((await comparedFrom(MORNING + 3 * HOUR_MS, without.edb)).from, dayBefore(70));
      assert.deepEqual([await uncompared(), await storage.deliveryHold.isHeldFor(without.edb)], [[], false]);
    }
  });

  test('a comparison that compares a taxpayer that was held by itself does not say that the hold after another restore was ended', async () => {
    const { storage } = database();
    const without = newTenant();
    await storage.transaction((tx) => tx.tenants.add(without, MORNING - 9 * DAY_MS));
    await at(MORNING).hold(RESTORED);
    await compare(MORNING + HOUR_MS);
    await giveAccount(without.edb);
    await at(MORNING + DAY_MS).hold(RESTORED);
    const early = await compare(MORNING + DAY_MS + 1);
    assert.deepEqual([early.isReleased, early.stillHeld], [false, RESTORED]);
    const late = await compare(MORNING + DAY_MS + WINDOW_MS);
    assert.deepEqual([late.isReleased, late.stillHeld], [true, null]);
  });

  test('a taxpayer that cannot be compared is held by itself, and keeps nobody else', async () => {
    const { storage } = database();
    const [fine, failing] = [await tenantWithAccount(), await tenantWithAccount()];
    await storage.transaction((tx) => tx.outbound.add(failing, newOutbound(), MORNING - 65 * DAY_MS));
    const reason = 'the certificate is refused';
    const refusing = {
      ...register,
      async registeredBetween({ edb }: { readonly edb: Edb }) {
        if (edb === failing) throw new AuthorityCallError(reason, { kind: 'credentials' });
        return [];
      },
    };
    const needs = { storage, register: refusing, record, outcomeWindowMs: WINDOW_MS };
    const compareWithout = (now: number) => reconcile({ ...needs, clock: clockAt(now) })(now, () => undefined);
    const heldFor = () => Promise.all([fine, failing].map((edb) => storage.deliveryHold.isHeldFor(edb)));

    await at(MORNING).hold(RESTORED);
    const early = await compareWithout(MORNING + 1);
    assert.deepEqual([early.isReleased, early.stillHeld, early.uncompared], [false, RESTORED, []]);
    assert.deepEqual(await heldFor(), [true, true], 'what was sent last may still be registered, for everybody');

    await at(MORNING + 1).hold(REASON);
    const { failed, ...late } = await compareWithout(MORNING + HOUR_MS);
    assert.deepEqual(failed, [{ tenant: failing, reason }]);
    assert.deepEqual([late.isReleased, late.stillHeld, late.uncompared], [true, REASON, [failing]]);
    await at(0).release();
    assert.deepEqual(await heldFor(), [false, true]);

    const again = await compareWithout(MORNING + 2 * HOUR_MS);
    assert.deepEqual([again.isReleased, again.stillHeld, again.uncompared], [false, null, [failing]]);
    assert.equal((await comparedFrom(MORNING + 3 * HOUR_MS, failing)).from, dayBefore(65), 'from the backup on');
    assert.deepEqual(await heldFor(), [false, false]);
  });

  test('a comparison leaves a hold that has nothing to do with a restore', async () => {
    await at(MORNING).hold(REASON);
    const { isReleased, stillHeld } = await compare(MORNING + HOUR_MS);
    assert.deepEqual([isReleased, stillHeld], [false, REASON]);
  });

  test('a comparison does not end what was said while it ran', async () => {
    await at(MORNING).hold(RESTORED);
    const { storage } = database();
    async function list() {
      await at(MORNING + HOUR_MS).hold(RESTORED);
      return [];
    }
    const said = { ...storage, tenants: { ...storage.tenants, list } };
    const clock = clockAt(MORNING + HOUR_MS);
    const needs = { storage: said, register, clock, record, outcomeWindowMs: WINDOW_MS };
    const { isReleased, stillHeld } = await reconcile(needs)(MORNING, () => undefined);
    assert.deepEqual([isReleased, stillHeld], [false, RESTORED]);
  });
});
