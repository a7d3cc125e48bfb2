import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { createCertificate } from '../support/certificate.ts';
import { until } from '../support/process.ts';
import { type Delivering, HOUR, MINUTE, NEWS_MS, startDelivering, type Taxpayer, taxpayerOf } from './support.ts';

describe('a taxpayer whose account the authority does not accept', () => {
  let delivering: Delivering;
  before(async () => {
    delivering = await startDelivering();
    const { alfa, reach } = delivering;
    await reach(alfa, await alfa.send('FIRST'), 40);
  });
  after(() => delivering.service.stop());

  const stopOf = async ({ edb }: Taxpayer) => (await delivering.service.operator.tenants.find(edb)).stopped;
  const isIn = async (taxpayer: Taxpayer, docUid: string, status: number) =>
    (await taxpayer.document(docUid)).status === status;

  /** A taxpayer that signs with a certificate that the authority has never seen. */
  async function unknownSigner(name: string): Promise<Taxpayer> {
    const taxpayer = await delivering.join(name);
    const { certificatePem, privateKeyPem } = createCertificate();
    await delivering.service.operator.credentials.set(taxpayer.edb, certificatePem, privateKeyPem);
    delivering.clock.advance(NEWS_MS);
    return taxpayer;
  }

  /** How often each of them was tried. */
  async function triesOf(taxpayer: Taxpayer, docUids: readonly DocUid[]): Promise<readonly number[]> {
    const stories = await Promise.all(docUids.map((docUid) => taxpayer.story(docUid)));
    return stories.map(({ attempts }) => attempts.length);
  }

  async function tries(taxpayer: Taxpayer, docUids: readonly DocUid[]): Promise<number> {
    return (await triesOf(taxpayer, docUids)).reduce((sum, count) => sum + count, 0);
  }

  async function isHeld({ edb }: Taxpayer): Promise<boolean> {
    const held = (table: string) => `select 1 from ${table} where tenant = $1 and lease is not null`;
    const { engine } = delivering.service.foundation;
    return (await engine.get(`${held('outbound')} union all ${held('outbound_void')}`, [edb])) !== null;
  }

  /** Nothing in anybody's hands, and whatever is due waits for the end of a stop. */
  async function settled(taxpayer: Taxpayer): Promise<void> {
    const { clock } = delivering;
    await until(
      'a stop, and nobody at work',
      async () => !(await isHeld(taxpayer)) && ((await stopOf(taxpayer))?.until ?? 0) > clock.now(),
    );
  }

  test('has its queue stopped, tried once after every pause, and is delivered for at once with a new certificate', async () => {
    const { clock, alfa, service } = delivering;
    const zeta = await unknownSigner('ЗЕТА ДОО Скопје');
    const docUids = await Promise.all(Array.from({ length: 8 }, (_, index) => zeta.send(`ZETA-${index}`)));
    await settled(zeta);
    const stopped = await stopOf(zeta);
    assert.match(stopped?.reason ?? '', /does not accept the taxpayer's account.*E1012/u);
    const [listed] = (await service.operator.tenants.list()).filter(({ edb }) => edb === zeta.edb);
    assert.deepEqual(listed?.stopped, stopped);
    // Those that were under way together at the first refusal; nobody else is touched.
    let tried = await tries(zeta, docUids);
    assert.ok(tried >= 1 && tried <= 4, `${tried} tries`);
    assert.ok((await Promise.all(docUids.map((docUid) => isIn(zeta, docUid, 10)))).filter(Boolean).length >= 4);

    for (const pauseMs of [MINUTE, 2 * MINUTE]) {
      const { until: till } = (await stopOf(zeta)) ?? assert.fail('not stopped');
      assert.ok(till - clock.now() <= pauseMs && till - clock.now() > pauseMs - MINUTE / 2);
      // Others are not held up, and nothing of the stopped taxpayer's is tried meanwhile.
      await delivering.reach(alfa, await alfa.send(`BESIDE-${pauseMs}`), 40);
      assert.equal(await tries(zeta, docUids), tried);
      clock.advance(till - clock.now());
      await until('a try', async () => ((await stopOf(zeta))?.until ?? 0) > till);
      await settled(zeta);
      tried += 1;
      assert.equal(await tries(zeta, docUids), tried);
    }

    const { eujpId } = await service.operator.tenants.find(zeta.edb);
    const { certificatePem, privateKeyPem } = await delivering.issue(zeta.edb, eujpId ?? '');
    await service.operator.credentials.set(zeta.edb, certificatePem, privateKeyPem);
    for (const docUid of docUids) await delivering.reach(zeta, docUid, 40);
    assert.equal(await stopOf(zeta), null);
    assert.equal((await delivering.registered({ seller: zeta.edb })).length, docUids.length);
  });

  test('is delivered for at once with another EUJP-ID', async () => {
    const eta = await delivering.join('ЕТА ДОО Скопје');
    const { operator } = delivering.service;
    const { eujpId } = await operator.tenants.find(eta.edb);
    await operator.tenants.set(eta.edb, { eujpId: 'somebody-else' });
    const docUids = [await eta.send('ETA-1'), await eta.send('ETA-2')];
    await settled(eta);
    await delivering.age(eta, 8);
    await delivering.passUntil('another try', async () => (await tries(eta, docUids)) >= 3);
    await settled(eta);
    await operator.tenants.set(eta.edb, { eujpId });
    for (const docUid of docUids) await delivering.reach(eta, docUid, 40);
    assert.equal(await stopOf(eta), null);
  });

  test('is delivered for, all of it, as soon as one try shows that the authority has mended the account', async () => {
    const { clock, pull, service } = delivering;
    const theta = await unknownSigner('ТЕТА ДОО Скопје');
    const docUids = [await theta.send('THETA-1'), await theta.send('THETA-2')];
    // Together, or one after the other where the first was refused before the second was there.
    const triedMoreThan = async (times: readonly number[]) =>
      (await triesOf(theta, docUids)).every((count, index) => count > (times[index] ?? 0));
    await delivering.passUntil('a try each', () => triedMoreThan([0, 0]));
    await settled(theta);
    await delivering.age(theta, 8);
    const before = await triesOf(theta, docUids);
    await delivering.passUntil('another try each', () => triedMoreThan(before));
    await settled(theta);
    const credential = await service.foundation.storage.credentials.find(theta.edb);
    const { eujpId } = await service.operator.tenants.find(theta.edb);
    await pull('certificates', { eujpId, edb: theta.edb, certificatePem: credential?.certificate });
    const dueAts = await Promise.all(docUids.map(async (docUid) => (await theta.story(docUid)).dueAt ?? 0));
    const first = Math.max(Math.min(...dueAts), (await stopOf(theta))?.until ?? 0);
    assert.ok(Math.max(...dueAts) > first + HOUR, 'left to itself, the other one would wait for hours');
    clock.advance(Math.max(0, first - clock.now()));
    for (const docUid of docUids) await delivering.reach(theta, docUid, 40);
    assert.equal(await stopOf(theta), null);
  });

  test('fails with a sentence that says what is missing when it has no certificate or no EUJP-ID', async () => {
    const { operator } = delivering.service;
    const known = await delivering.join('ЈОТА ДОО Скопје', { eujpId: null });
    const settings = { name: 'Без', environment: 'test', outboundEnabled: true, eujpId: 'user' } as const;
    const bare = { ...settings, edb: known.edb.replace(/^4070/u, '4071') as typeof known.edb };
    await delivering.pull('companies', { taxNumber: bare.edb, name: 'БЕЗ ДОО Скопје' });
    await operator.tenants.add(bare);
    const missing = [
      [known, /has no EUJP-ID/u],
      [await taxpayerOf(delivering.service, bare.edb), /has no certificate to sign with/u],
    ] as const;
    for (const [taxpayer, sentence] of missing) {
      const docUid = await taxpayer.send('NOBODY');
      const { failureCode, failureMessage } = await delivering.reach(taxpayer, docUid, 20);
      assert.equal(failureCode, 'CREDENTIALS');
      assert.match(failureMessage ?? '', sentence);
      assert.match(failureMessage ?? '', /^[A-Z].*\.$/u);
      assert.match((await stopOf(taxpayer))?.reason ?? '', sentence);
      assert.equal(await taxpayer.steps(docUid), '10 20 30 20:CREDENTIALS');
      assert.equal((await taxpayer.post(`/outbound/${docUid}/cancel`)).status, 200);
    }
  });

  test('with a certificate that is revoked, or cannot be verified just now, is tried again and not stopped', async () => {
    const { clock, pull, service } = delivering;
    clock.advance(HOUR);
    const kapa = await delivering.join('КАПА ДОО Скопје');
    const credential = await service.foundation.storage.credentials.find(kapa.edb);
    const { eujpId } = await service.operator.tenants.find(kapa.edb);
    const order = { eujpId, edb: kapa.edb, certificatePem: credential?.certificate };
    await pull('certificates', { ...order, revoked: true });
    const docUid = await kapa.send('REVOKED');
    const { failureCode, failureMessage } = await delivering.reach(kapa, docUid, 20);
    assert.equal(failureCode, 'AUTHORITY-ERROR');
    assert.match(failureMessage ?? '', /E5003 “Certificate is revoked”/u);
    assert.equal(await stopOf(kapa), null);
    await pull('certificates', order);
    await delivering.passUntil('accepted', () => isIn(kapa, docUid, 40));
  });

  test('has its voids go on at once with a new certificate, whether they were refused with the former or waited for the stop', async () => {
    const { clock, service, join, reach, issue } = delivering;
    const { credentials, tenants, voids } = service.operator;
    const eta = await join('ЕТА ДОО Скопје');
    const [tried, waiting] = [await eta.send('TRIED'), await eta.send('WAITING')];
    for (const docUid of [tried, waiting]) await reach(eta, docUid, 40);
    const unknown = createCertificate();
    await credentials.set(eta.edb, unknown.certificatePem, unknown.privateKeyPem);
    clock.advance(NEWS_MS);
    const find = async (docUid: DocUid) => (await voids.find(eta.edb, docUid)) ?? assert.fail('no void');
    await voids.request(eta.edb, tried, 'S-1', null);
    // No longer than it waits itself: within five days the authority takes it that the buyer has accepted, and refuses voids. A request that
    // is on its way while time passes may fail for its timestamp.
    await until('a pause of minutes', async () => {
      const { dueAt, failures, failureCode } = await find(tried);
      if (failures >= 4 && failureCode === 'CREDENTIALS') return true;
      if (dueAt !== null && dueAt > clock.now() && !(await isHeld(eta))) clock.advance(dueAt - clock.now());
      return false;
    });
    await eta.send('STOPS');
    await settled(eta);
    await voids.request(eta.edb, waiting, 'S-1', null);
    await until('put off to the end of the stop', async () => ((await find(waiting)).dueAt ?? 0) > clock.now());
    await settled(eta);
    const { eujpId } = await tenants.find(eta.edb);
    const { certificatePem, privateKeyPem } = await issue(eta.edb, eujpId ?? '');
    await credentials.set(eta.edb, certificatePem, privateKeyPem);
    for (const docUid of [tried, waiting])
      await until('the void', async () => (await find(docUid)).state === 'registered');
  });

  test('is stopped and has its voids counted, although the certificate was set by a clock that was a day ahead', async () => {
    const { clock, service, join, reach } = delivering;
    const { credentials, voids } = service.operator;
    const jota = await join('ЈОТА-2 ДОО Скопје');
    const docUid = await jota.send('VOIDED');
    await reach(jota, docUid, 40);
    const unknown = createCertificate();
    await credentials.set(jota.edb, unknown.certificatePem, unknown.privateKeyPem);
    const later = 'update credential set changed_at = $2 where tenant = $1';
    await service.foundation.engine.transaction((sql) => sql.run(later, [jota.edb, clock.now() + 24 * HOUR]));
    clock.advance(NEWS_MS);
    await voids.request(jota.edb, docUid, 'S-1', null);
    await until('a try that counts', async () => ((await voids.find(jota.edb, docUid))?.failures ?? 0) >= 1);
    await jota.send('REFUSED');
    await settled(jota);
  });
});
