import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { certificateReading } from '../../src/adapters/credentials/certificate-reading.ts';
import { createKeySealing } from '../../src/adapters/credentials/key-sealing.ts';
import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { manageCredentials } from '../../src/application/accounts/manage-credentials.ts';
import { removeCredential } from '../../src/application/accounts/remove-credential.ts';
import { FROM_FAR_BACK } from '../../src/application/delivery/follow-authority-status.ts';
import { OperatorError } from '../../src/application/errors/operator-error.ts';
import { collectInbound } from '../../src/application/inbound/collect-inbound.ts';
import { AuthorityCallError } from '../../src/application/ports/authority.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { createCertificate } from '../support/certificate.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, fileOf, MORNING, newOutbound, newTenant } from './samples.ts';

const HOUR_MS = 3_600_000;
const own = createCertificate({ serial: '0abc', validTo: new Date(MORNING + 24 * HOUR_MS) });
const sealing = createKeySealing([randomBytes(32).toString('base64')], systemRandom);
const SIGNING_COMMANDS = { names: [], tryOut: () => assert.fail('there is none') };

onEveryEngine('the certificate of a tenant that leaves', (database) => {
  const clock = clockAt();

  function actions() {
    const { storage } = database();
    const recorded: string[] = [];
    const record = async (_: unknown, { command, target }: { readonly command: string; readonly target: string }) => {
      recorded.push(`${command} ${target}`);
    };
    const needs = { storage, clock, record };
    const reading = { reading: certificateReading, sealing, signingCommands: SIGNING_COMMANDS };
    return { recorded, remove: removeCredential(needs), credentials: manageCredentials({ ...needs, ...reading }) };
  }

  async function addTenant(outboundEnabled = false): Promise<Edb> {
    const tenant = newTenant({ eujpId: 'person-7', outboundEnabled });
    await database().storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    await actions().credentials.set(tenant.edb, own.certificatePem, own.privateKeyPem);
    return tenant.edb;
  }

  /** The tenant's recurring tasks, each with what it goes on from. */
  async function tasksOf(edb: Edb) {
    const { storage } = database();
    const share = { maxPerName: 100, running: [] };
    const lease = { token: 'test', until: MORNING + 2 * HOUR_MS };
    const claimed = await storage.transaction((tx) => tx.recurringTasks.claim(lease, MORNING + HOUR_MS, 1_000, share));
    const tasks = claimed.filter(({ tenant }) => tenant === edb);
    return tasks.map(({ name, checkpoint }) => [name, checkpoint]).toSorted();
  }

  const refused = (message: RegExp) => (error: unknown) =>
    error instanceof OperatorError && error.kind === 'refused' && message.test(error.message);

  test('is removed with its key, its recurring tasks and its stop', async () => {
    const { storage } = database();
    const edb = await addTenant();
    const other = await addTenant();
    await storage.transaction((tx) => tx.tenants.stop(edb, 'E1003', MORNING));
    const { remove, recorded } = actions();
    assert.deepEqual(await remove(edb), { serialNumber: 'ABC', containers: 0 });
    assert.deepEqual(recorded, [`tenant remove-certificate ${edb} certificate ABC`]);
    assert.equal(await storage.credentials.find(edb), null);
    assert.equal((await storage.tenants.find(edb))?.stopped, null);
    assert.deepEqual(await tasksOf(edb), []);
    assert.notEqual(await storage.credentials.find(other), null);
    await assert.rejects(remove(edb), refused(/has no certificate\.$/u));
  });

  test('stays while documents may be submitted, or are on their way', async () => {
    const { storage } = database();
    const { remove, recorded } = actions();
    await assert.rejects(remove(await addTenant(true)), refused(/^The certificate stays, .*"--outbound off" first/u));
    const edb = await addTenant();
    await storage.transaction((tx) => addOutboundIn(tx, edb, 30, newOutbound(), MORNING));
    await assert.rejects(remove(edb), refused(/^The certificate stays, .* 1 document is not over/u));
    assert.notEqual(await storage.credentials.find(edb), null);
    assert.deepEqual(recorded, []);
  });

  test('takes with it the containers that were not given, which are asked for again when it is back', async () => {
    const { storage } = database();
    const edb = await addTenant();
    const answer = { accepted: true, qrLink: null, registeredAt: null, message: null, errors: [] };
    const [missing, given] = await storage.transaction(async (tx) => {
      const add = async (euid: string) => {
        const ujp = { ...answer, euid, statusCode: '01', statusName: null };
        return (await addOutboundIn(tx, edb, 40, newOutbound(), MORNING, { ujp, dueAt: MORNING })).docUid;
      };
      return [await add('one'), await add('two')];
    });
    const lease = { token: 'worker', until: MORNING + HOUR_MS };
    await storage.transaction(async (tx) => {
      await tx.deliveries.claim(edb, 'container', lease, MORNING, 10);
      await tx.deliveries.storeContainer(edb, given, fileOf('PK'), MORNING);
      await tx.deliveries.release(edb, given, lease.token, { dueAt: null });
    });
    const { remove, credentials } = actions();
    assert.equal((await remove(edb)).containers, 1);
    const postponed = { dueAt: MORNING + HOUR_MS, failures: 1 };
    assert.equal(
      await storage.transaction((tx) => tx.deliveries.release(edb, missing, lease.token, postponed)),
      false,
      'the worker that had it asks no more',
    );
    const due = async () => [await storage.deliveries.dueAt(edb, missing), await storage.deliveries.dueAt(edb, given)];
    assert.deepEqual(await due(), [null, null]);
    await credentials.set(edb, own.certificatePem, own.privateKeyPem);
    assert.deepEqual(await due(), [clock.now(), null]);
  });

  test('takes with it what a collection finds in its way that was under way', async () => {
    const { storage } = database();
    for (const hasAskedBefore of [true, false]) {
      const edb = await addTenant();
      const tenant = (await storage.tenants.find(edb)) ?? assert.fail();
      if (!hasAskedBefore) await actions().remove(edb);
      const told: string[] = [];
      const collect = collectInbound({
        storage,
        authority: {
          async arrivals() {
            if (hasAskedBefore) await actions().remove(edb);
            throw new AuthorityCallError('no certificate', { kind: 'credentials' });
          },
          arrived: () => assert.fail('nothing is listed'),
          arrivedInAnyShape: () => assert.fail('nothing is listed'),
          arrivedPdf: () => assert.fail('nothing is listed'),
        },
        hasher: systemHasher,
        clock,
        report: ({ subject }) => void told.push(subject),
      });
      await assert.rejects(collect(tenant, 0), AuthorityCallError);
      assert.deepEqual([await storage.arrivalProblems.list(edb), told], [[], []]);
    }
  });

  test('can be set again: what became of registered documents is then asked for from far back', async () => {
    const { storage } = database();
    const edb = await addTenant();
    await storage.transaction((tx) => addOutboundIn(tx, edb, 40, newOutbound(), MORNING));
    const { remove, credentials } = actions();
    await remove(edb);
    await credentials.set(edb, own.certificatePem, own.privateKeyPem);
    assert.deepEqual(await tasksOf(edb), [
      ['collect', null],
      ['follow', FROM_FAR_BACK],
      ['lists', null],
    ]);
  });
});
