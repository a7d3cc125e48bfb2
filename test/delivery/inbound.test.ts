import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openAuthority } from '../../src/app/authority.ts';
import { daysAfter, skopjeDay } from '../../src/domain/values/skopje-day.ts';
import { json } from '../contract/support/client.ts';
import { INBOUND_DOCUMENT, INBOUND_ITEM, readFields, readPage } from '../contract/support/fields.ts';
import { assertProblem } from '../contract/support/problem.ts';
import { until } from '../support/process.ts';
import { DAY, type Delivering, HOUR, SECOND, startDelivering, type Taxpayer } from './support.ts';

describe('what one taxpayer sends to another', () => {
  let delivering: Delivering;
  let alfa: Taxpayer;
  let beta: Taxpayer;
  before(async () => {
    delivering = await startDelivering({
      COLLECT_SECONDS: '1',
      COLLECT_QUIET_SECONDS: '1',
    });
    ({ alfa, beta } = delivering);
  });
  after(() => delivering.service.stop());

  const today = () => skopjeDay(delivering.clock.now());

  /** The arrivals of the number, oldest first. */
  async function arrived(buyer: Taxpayer, number: string) {
    const { items } = readPage(INBOUND_ITEM, json(await buyer.get('/inbound?pageSize=500')));
    const found = await Promise.all(items.map(({ docUid }) => detail(buyer, docUid)));
    return found.filter(({ documentNumber }) => documentNumber === number);
  }

  async function detail(buyer: Taxpayer, docUid: string) {
    return readFields(INBOUND_DOCUMENT, json(await buyer.get(`/inbound/${docUid}`)));
  }

  /** Has the buyer's documents collected anew, so often; a collection already under way does not count. */
  async function collected(buyer: Taxpayer, times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const before = await atRest();
      delivering.clock.advance(20 * SECOND);
      await until('another collection', async () => (await atRest()).note !== before.note);
    }

    function atRest() {
      const text = "select note from recurring_task where tenant = $1 and name = 'collect' and lease is null";
      return until('the end of a collection', () =>
        delivering.service.foundation.engine.get<{ note: string | null }>(text, [buyer.edb]),
      );
    }
  }

  /** Sets which window was searched last; one look at another than the newest belongs to each collection, and the first is the newest of the older ones. */
  async function otherWindowsAfter(buyer: Taxpayer, last: number): Promise<void> {
    const text = "update recurring_task set note = $2 where tenant = $1 and name = 'collect' and lease is null";
    const values = [buyer.edb, String(last)];
    await until('the end of a collection', () =>
      delivering.service.foundation.engine.transaction(async (sql) => (await sql.run(text, values)) === 1),
    );
  }

  const arrival = (buyer: Taxpayer, number: string) =>
    until(`the arrival of ${number}`, async () => (await arrived(buyer, number))[0]);

  async function sent(number: string, issueDate: string, buyer: Taxpayer = beta): Promise<string> {
    const docUid = await alfa.send(number, { issueDate, recipient: { taxNumber: buyer.edb } });
    const { ujp } = await delivering.reach(alfa, docUid, 40);
    return ujp?.euid ?? '';
  }

  test('arrives there by itself once it is accepted, exactly as the authority returns it, with its PDF', async () => {
    const euid = await sent('ARRIVES', today());
    const found = await arrival(beta, 'ARRIVES');
    const { docUid, senderName, senderEdb, amount, currency, ackedAt } = found;
    assert.deepEqual(
      { senderName, senderEdb, amount, currency, ackedAt },
      {
        senderName: 'АЛФА ДОО Скопје',
        senderEdb: alfa.edb,
        amount: 139_216,
        currency: 'MKD',
        ackedAt: null,
      },
    );
    const { authority } = openAuthority(delivering.service.foundation);
    const tenant = await delivering.service.operator.tenants.find(beta.edb);
    const [held] = await authority.arrived(tenant, [euid]);
    const original = await beta.get(`/inbound/${docUid}/file?format=original`);
    assert.deepEqual([original.status, original.text], [200, Buffer.from(held?.original ?? []).toString()]);
    const pdf = await beta.get(`/inbound/${docUid}/file?format=pdf`);
    assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-');
    assertProblem(await beta.get(`/inbound/${docUid}/file?format=ubl`), 'ERR-3002');
    const alfas = await alfa.get(`/inbound/${docUid}`);
    assertProblem(alfas, 'ERR-3001');
    assert.equal(alfas.headers.get('x-ujp-status'), null);
  });

  test('shows the authority’s status of it, which the sender and the buyer change later, in a header', async () => {
    const euid = await sent('VOIDED-LATER', today());
    const { docUid } = await arrival(beta, 'VOIDED-LATER');
    const shown = async () => (await beta.get(`/inbound/${docUid}`)).headers.get('x-ujp-status');
    assert.equal(await shown(), '01');
    const { storage } = delivering.service.foundation;
    const change = {
      from: { code: '01', name: null },
      to: { code: '07', name: 'Сторнирана' },
      at: delivering.clock.now(),
    };
    const record = () =>
      storage.transaction((tx) => tx.inbound.recordAuthorityStatus(beta.edb, `euid:${euid}`, change));
    assert.deepEqual([await record(), await record()], [true, false]);
    assert.equal(await shown(), '07');
    await collected(beta);
    assert.equal(await shown(), '07', 'the list of the simulator still says 01');
  });

  test('is reported where the buyer has no right to read it, and arrives once the right is there', async () => {
    const { operator } = delivering.service;
    const eta = await delivering.join('ЕТА ДОО Скопје');
    const { eujpId } = await operator.tenants.find(eta.edb);
    await delivering.pull('users', { eujpId, edb: eta.edb, privileges: ['SIGN', 'DP', 'DA'] });
    const euid = await sent('WITHOUT-RD', today(), eta);
    const problems = await until('a report', async () => {
      const found = await operator.listInboundProblems(eta.edb);
      return found.length === 0 ? null : found;
    });
    assert.deepEqual(
      problems.map(({ tenant, subject, cause }) => [tenant, subject, cause]),
      [[eta.edb, euid, 'E1011']],
    );
    await delivering.pull('users', { eujpId, edb: eta.edb });
    delivering.clock.advance(DAY);
    await arrival(eta, 'WITHOUT-RD');
    // Resolved right after the document was stored, by a write of its own.
    await until('the end of the problem', async () => (await operator.listInboundProblems(eta.edb)).length === 0);
  });

  test('is there once, however often it is looked for, and what was acknowledged stays so', async () => {
    await sent('ONCE', today());
    const found = await arrival(beta, 'ONCE');
    const acked = await beta.post(`/inbound/${found.docUid}/ack`);
    assert.equal(acked.status, 200);
    const { totalCount } = readPage(INBOUND_ITEM, json(await beta.get('/inbound')));
    await collected(beta, 3);
    assert.equal(readPage(INBOUND_ITEM, json(await beta.get('/inbound'))).totalCount, totalCount);
    const [again, ...others] = await arrived(beta, 'ONCE');
    assert.deepEqual(others, []);
    assert.notEqual(again?.ackedAt, null);
  });

  test('arrives without its PDF where the buyer has no right to download PDFs', async () => {
    const zeta = await delivering.join('ЗЕТА ДОО Скопје');
    const { eujpId } = await delivering.service.operator.tenants.find(zeta.edb);
    await delivering.pull('users', { eujpId, edb: zeta.edb, privileges: ['SIGN', 'RD', 'DA'] });
    await sent('WITHOUT-DP', today(), zeta);
    const found = await arrival(zeta, 'WITHOUT-DP');
    assert.equal((await zeta.get(`/inbound/${found.docUid}/file`)).status, 200);
    assertProblem(await zeta.get(`/inbound/${found.docUid}/file?format=pdf`), 'ERR-3002');
    assert.equal((await delivering.service.operator.tenants.find(zeta.edb)).stopped, null);
  });

  test('arrives when it is dated tomorrow, or weeks and months back', async () => {
    const dates = [-1, 27, 61].map((days) => skopjeDay(delivering.clock.now() - days * DAY));
    for (const date of dates) await sent(`D-${date}`, date);
    await otherWindowsAfter(beta, 0);
    // Those of a month and of two months ago.
    await collected(beta, 2);
    for (const date of dates) assert.equal((await arrived(beta, `D-${date}`)).length, 1, date);
  });

  test('arrives before its date when it is dated weeks ahead', async () => {
    const date = daysAfter(today(), 20);
    await sent('DATED-AHEAD', date);
    await otherWindowsAfter(beta, 13);
    await collected(beta);
    assert.equal((await arrived(beta, 'DATED-AHEAD')).length, 1);
  });

  test('is not lost in an outage: it arrives afterwards, once and whole', async () => {
    const numbers = Array.from({ length: 3 }, (_, index) => `OUTAGE-${index}`);
    await delivering.pull('faults', { loseQueries: 0.2, seed: 7 });
    for (const number of numbers) {
      const docUid = await alfa.send(number, { issueDate: today() });
      await delivering.passUntil('accepted', async () => (await alfa.document(docUid)).status === 40);
    }
    await delivering.pull('outage', { on: true, kind: 'refuse' });
    delivering.clock.advance(20 * SECOND);
    await until('a collection in vain', async () => {
      const { engine } = delivering.service.foundation;
      const text = "select 1 from recurring_task where tenant = $1 and name = 'collect' and failures > 0";
      return (await engine.get(text, [beta.edb])) !== null;
    });
    await delivering.pull('faults', {});
    await delivering.pull('outage', { on: false });
    // A document that failed by itself is asked for again after a minute or more, also where the hour passed while it was asked for.
    await until('the arrival of all', async () => {
      await collected(beta, 2);
      const found = await Promise.all(numbers.map((number) => arrived(beta, number)));
      if (found.every(({ length }) => length > 0)) return true;
      delivering.clock.advance(HOUR);
      return false;
    });
    for (const number of numbers) {
      const [found, ...others] = await arrived(beta, number);
      assert.deepEqual(others, []);
      assert.equal((await beta.get(`/inbound/${found?.docUid}/file?format=pdf`)).status, 200);
    }
  });
});
