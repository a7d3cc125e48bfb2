import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { daysBetween } from '../../../simulator/calendar.ts';
import { certificateReading } from '../../../src/adapters/credentials/certificate-reading.ts';
import { createKeySealing } from '../../../src/adapters/credentials/key-sealing.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { manageCredentials } from '../../../src/application/accounts/manage-credentials.ts';
import { manageTenants } from '../../../src/application/accounts/manage-tenants.ts';
import { resumeTenant, stopMark } from '../../../src/application/accounts/resume-tenant.ts';
import { followAuthorityStatus } from '../../../src/application/delivery/follow-authority-status.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import { AuthorityCallError } from '../../../src/application/ports/authority.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { daysAfter, skopjeDay } from '../../../src/domain/values/skopje-day.ts';
import { addOutboundIn, MORNING, newEdb, newOutbound, newTenant, recordTest } from '../../engines/samples.ts';
import { createCertificate, otherKeyPair } from '../../support/certificate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const DAY_MS = 86_400_000;
const ANSWER = { accepted: true, qrLink: null, registeredAt: null, message: null, errors: [] };
const UJP = { ...ANSWER, euid: 'one', statusCode: '01', statusName: null };
const VALID_TO = MORNING + 30 * DAY_MS;
const sealing = createKeySealing([randomBytes(32).toString('base64')], systemRandom);
const alfa = createCertificate({ serial: '0a1b', validTo: new Date(VALID_TO) });
const other = createCertificate({ keys: otherKeyPair(), validTo: new Date(VALID_TO) });

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

/** Only TOKEN signs, with the key of Alfa. */
const signingCommands = {
  names: ['TOKEN', 'BROKEN'],
  async tryOut(name: string) {
    if (name !== 'TOKEN') throw new AuthorityCallError('The signing command did not sign', { kind: 'signing' });
    return {
      belongsTo: ({ pem }: { readonly pem: string }) => new X509Certificate(pem).checkPrivateKey(alfa.privateKey),
    };
  },
} as const;

const credentials = (storage: Storage = database.storage) =>
  manageCredentials({
    storage,
    reading: certificateReading,
    sealing,
    signingCommands,
    clock: clockAt(),
    record: recordTest,
  });

async function addTenant(): Promise<Edb> {
  const tenant = newTenant();
  await database.storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
  return tenant.edb;
}

function refusal(kind: OperatorError['kind'], message: RegExp) {
  return (error: unknown) => error instanceof OperatorError && error.kind === kind && message.test(error.message);
}

describe('a certificate with its private key', () => {
  test('is kept sealed, and shown by its serial number and expiry alone', async () => {
    const edb = await addTenant();
    const facts = { serialNumber: 'A1B', validTo: VALID_TO, changedAt: MORNING, daysLeft: 30 };
    assert.deepEqual(await credentials().set(`МК ${edb}`, alfa.certificatePem, alfa.privateKeyPem), facts);
    assert.deepEqual(await credentials().describe(edb), facts);
    assert.deepEqual((await credentials().list()).get(edb), facts);
    const stored = (await database.storage.credentials.find(edb)) ?? assert.fail();
    assert.equal(stored.certificate, new X509Certificate(alfa.certificatePem).toString());
    assert.ok(!Buffer.from(stored.sealedKey).includes('PRIVATE KEY'));
    assert.deepEqual(sealing.open(stored), { kind: 'private-key', pem: alfa.privateKeyPem });
  });

  test('lets delivery go on: whatever was refused, it was another certificate', async () => {
    const edb = await addTenant();
    await database.storage.transaction((tx) => tx.tenants.stop(edb, 'E1003', MORNING));
    await credentials().set(edb, alfa.certificatePem, alfa.privateKeyPem);
    assert.equal((await database.storage.tenants.find(edb))?.stopped, null);
  });

  test('lets tasks and containers that failed go on at once, as a new EUJP-ID and a resumption do', async () => {
    const { storage } = database;
    const edb = await addTenant();
    const set = () => credentials().set(edb, alfa.certificatePem, alfa.privateKeyPem);
    await set();
    const needs = { storage, clock: clockAt(), record: recordTest };
    const claim = async (token: string) => {
      const share = { maxPerName: 100, running: [] };
      const lease = { token, until: MORNING + DAY_MS };
      const due = await storage.transaction((tx) => tx.recurringTasks.claim(lease, MORNING, 1_000, share));
      return due.filter(({ tenant }) => tenant === edb);
    };
    let tasks = await claim('first');
    assert.equal(tasks.length, 3);
    const { docUid } = await storage.transaction((tx) =>
      addOutboundIn(tx, edb, 40, newOutbound(), MORNING, { ujp: UJP, dueAt: MORNING }),
    );
    let token = 'first';
    for (const mend of [
      set,
      () => manageTenants(needs).set(edb, { eujpId: 'person-8' }),
      () => resumeTenant(needs)(edb, stopMark({ since: MORNING, reason: 'E1003' })),
    ]) {
      const next = { dueAt: MORNING + DAY_MS / 2, checkpoint: null, quietRuns: 0 };
      await storage.transaction(async (tx) => {
        await tx.tenants.stop(edb, 'E1003', MORNING);
        for (const task of tasks) {
          const failed = task.name === 'collect' ? { failures: 0, failure: null } : { failures: 9, failure: 'E1003' };
          await tx.recurringTasks.reschedule(task, token, { ...next, ...failed });
        }
        await tx.deliveries.claim(edb, 'container', { token, until: MORNING + DAY_MS }, MORNING, 1);
        await tx.deliveries.release(edb, docUid, token, { dueAt: MORNING + DAY_MS / 2, failures: 9 });
      });
      await mend();
      assert.equal(await storage.deliveries.dueAt(edb, docUid), MORNING);
      token += ' again';
      tasks = await claim(token);
      assert.deepEqual(tasks.map(({ name }) => name).toSorted(), ['follow', 'lists']);
    }
  });

  test('begins to follow statuses on the day before, however long the authority does not give them', async () => {
    const { storage } = database;
    const edb = await addTenant();
    const asked: string[] = [];
    let isGiven = false;
    const followOn = async (now: number) => {
      const clock = clockAt(now);
      const share = { maxPerName: 100, running: [] };
      const lease = { token: 'worker', until: now + DAY_MS };
      const due = await storage.transaction((tx) => tx.recurringTasks.claim(lease, now, 1_000, share));
      const task = due.find(({ tenant, name }) => tenant === edb && name === 'follow') ?? assert.fail('not due');
      const statusChanges = async (_: unknown, day: string) => {
        asked.push(day);
        if (isGiven) return [];
        throw new AuthorityCallError('E1011', { kind: 'credentials' });
      };
      const needs = { storage, authority: { statusChanges }, clock, report: () => undefined };
      const followed = followAuthorityStatus(needs)(newTenant({ edb }), task.checkpoint);
      const next = { dueAt: now + DAY_MS, checkpoint: await followed.catch(() => task.checkpoint), quietRuns: 0 };
      const end = { ...next, failures: isGiven ? 0 : 1, failure: isGiven ? null : 'E1011' };
      await storage.transaction((tx) => tx.recurringTasks.reschedule(task, lease.token, end));
    };
    await credentials().set(edb, alfa.certificatePem, alfa.privateKeyPem);
    for (let days = 0; days < 20; days += 1) await followOn(MORNING + days * DAY_MS);
    isGiven = true;
    asked.length = 0;
    await followOn(MORNING + 20 * DAY_MS);
    const setOn = skopjeDay(MORNING);
    assert.deepEqual(asked, daysBetween(daysAfter(setOn, -1), daysAfter(setOn, 20)));
  });

  test('that cannot be stored leaves the stop where it is', async () => {
    const edb = await addTenant();
    await database.storage.transaction((tx) => tx.tenants.stop(edb, 'E1003', MORNING));
    const broken: Storage = {
      ...database.storage,
      transaction: (work) =>
        database.storage.transaction(async (tx) => {
          await work(tx);
          throw new Error('the disk is full');
        }),
    };
    await assert.rejects(credentials(broken).set(edb, alfa.certificatePem, alfa.privateKeyPem), /disk is full/u);
    assert.notEqual((await database.storage.tenants.find(edb))?.stopped, null);
    assert.equal(await credentials().describe(edb), null);
  });

  test('is found among the certificates of its issuers, wherever it stands', async () => {
    const edb = await addTenant();
    for (const chain of [alfa.certificatePem + other.certificatePem, other.certificatePem + alfa.certificatePem]) {
      const { serialNumber } = await credentials().set(edb, chain, chain + alfa.privateKeyPem);
      assert.equal(serialNumber, 'A1B');
      const stored = await database.storage.credentials.find(edb);
      assert.equal(stored?.certificate.match(/BEGIN CERTIFICATE/gu)?.length, 1);
    }
  });

  test('of a tenant that does not exist is not kept', async () => {
    const nobody = newEdb();
    const set = credentials().set(nobody, alfa.certificatePem, alfa.privateKeyPem);
    await assert.rejects(set, refusal('not-found', new RegExp(`no tenant ${nobody}`)));
    await assert.rejects(
      credentials().set('12', alfa.certificatePem, alfa.privateKeyPem),
      refusal('refused', /13 digits/),
    );
    assert.equal(await credentials().describe(nobody), null);
  });
});

describe('what will not do is refused in words, and changes nothing:', () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const weak = createCertificate({ keys: short, serial: 'EE', validTo: new Date(VALID_TO) });
  const curve = createCertificate({ keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }) });
  const expired = createCertificate({ serial: 'DD', validTo: new Date(MORNING) });
  const early = createCertificate({ serial: 'FA', validFrom: new Date(MORNING + 1_000), validTo: new Date(VALID_TO) });
  const encrypted = (type: 'pkcs1' | 'pkcs8') =>
    createPrivateKey(alfa.privateKeyPem)
      .export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
      .toString();
  const { certificatePem, privateKeyPem } = alfa;
  const wrong: readonly (readonly [name: string, certificate: string, key: string, message: RegExp])[] = [
    ['no certificate', 'text', privateKeyPem, /^The certificate is not in PEM/u],
    ['files the wrong way round', privateKeyPem, certificatePem, /is not in PEM/u],
    [
      'a broken certificate',
      certificatePem.replace(/\n.{40}/u, '\nAAAA'),
      privateKeyPem,
      /certificate .* cannot be read/u,
    ],
    ['no private key', certificatePem, 'text', /^The private key is not in PEM/u],
    [
      'a broken private key',
      certificatePem,
      privateKeyPem.replace(/\n.{40}/u, '\nAA'),
      /private key .* cannot be read/u,
    ],
    ['an encrypted key', certificatePem, encrypted('pkcs8'), /encrypted.*openssl pkey -in .* -out /u],
    ['an encrypted key of the older form', certificatePem, encrypted('pkcs1'), /encrypted.*openssl pkey -in .* -out /u],
    ['the key of another certificate', certificatePem, other.privateKeyPem, /does not belong/u],
    ['a key that is too short', weak.certificatePem, weak.privateKeyPem, /EE has 1024 bits; at least 2048/u],
    [
      'a certificate that is not valid yet',
      early.certificatePem,
      early.privateKeyPem,
      /FA is not valid before 2026-11-16T08:00:01/u,
    ],
    ['an expired certificate', expired.certificatePem, expired.privateKeyPem, /DD expired at 2026-11-16T08:00:00/u],
    [
      'a certificate for another kind of key',
      curve.certificatePem,
      curve.privateKeyPem,
      /type ec; the authority accepts only RSA/u,
    ],
  ];
  for (const [name, certificate, key, message] of wrong) {
    test(name, async () => {
      const edb = await addTenant();
      await credentials().set(edb, other.certificatePem, other.privateKeyPem);
      await assert.rejects(credentials().set(edb, certificate, key), refusal('refused', message));
      assert.equal((await credentials().describe(edb))?.serialNumber, other.serial);
    });
  }
});

describe('a certificate whose key a signing command has', () => {
  test('is kept with the name of the command, sealed', async () => {
    const edb = await addTenant();
    await credentials().setCommand(edb, other.certificatePem + alfa.certificatePem, 'TOKEN');
    const stored = (await database.storage.credentials.find(edb)) ?? assert.fail();
    assert.equal(stored.serialNumber, 'A1B');
    assert.ok(!Buffer.from(stored.sealedKey).includes('TOKEN'));
    assert.deepEqual(sealing.open(stored), { kind: 'signing-command', name: 'TOKEN' });
  });

  test('is refused when the command is unknown, does not sign, or signs with another key', async () => {
    const edb = await addTenant();
    const refused: readonly (readonly [name: string, certificate: string, message: RegExp])[] = [
      ['token', alfa.certificatePem, /^There is no signing command “token”; there are TOKEN, BROKEN\.$/u],
      ['BROKEN', alfa.certificatePem, /^The signing command did not sign$/u],
      ['TOKEN', other.certificatePem, /^The private key does not belong to the certificate\.$/u],
    ];
    for (const [name, certificate, message] of refused) {
      await assert.rejects(credentials().setCommand(edb, certificate, name), refusal('refused', message));
    }
    assert.equal(await credentials().describe(edb), null);
  });
});
