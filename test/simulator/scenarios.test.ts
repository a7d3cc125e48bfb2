import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { steadyTimers } from '../support/steady-time.ts';
import { type Authority, beta, startAuthority } from './authority-client.ts';
import { ALFA, altered, BETA, type Json, sampleDocument } from './sample-document.ts';

/** Every answer that comes at all comes within this time. */
const MAX_ANSWER_MS = 700;

describe('scenarios by document number', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null, { slowMs: 50 });
  });
  after(() => authority.simulator.close());

  const sendNumber = (docNumber: string, docId = docNumber) => authority.send(sampleDocument({ docNumber, docId }));
  const registered = async (docNumber: string) => (await authority.listed(`?docNumber=${docNumber}`)).length;
  const goesUnanswered = async (docNumber: string) => {
    const timeout = new Promise((resolve) => void steadyTimers.after(MAX_ANSWER_MS, () => resolve('silence')));
    assert.equal(await Promise.race([sendNumber(docNumber), timeout]), 'silence');
  };

  test('SIM-<code> is refused with that code, every time', async () => {
    for (const [code, status] of [
      ['E1020', 400],
      ['E10201', 400],
      ['E50075', 500],
      ['E5011', 500],
      ['E4009', 400],
      ['E500710', 500],
    ] as const) {
      for (let time = 0; time < 2; time += 1) {
        const answer = await sendNumber(`SIM-${code}-1`);
        assert.deepEqual([answer.status, answer.body['code']], [status, code]);
        assert.deepEqual(Object.keys(answer.body), ['code', 'message']);
      }
      assert.equal(await registered(`SIM-${code}-1`), 0);
    }
  });

  test('SIM-<code> works with an unknown code, too', async () => {
    const { body } = await sendNumber('SIM-E9999');
    assert.deepEqual(body, { code: 'E9999', message: 'Document is refused' });
  });

  test('SIM-TIMEOUT is neither answered nor registered', async () => {
    await goesUnanswered('SIM-TIMEOUT-1');
    await goesUnanswered('SIM-TIMEOUT-1');
    assert.equal(await registered('SIM-TIMEOUT-1'), 0);
  });

  test('SIM-SILENT is registered but not answered; sent again, it is E1023', async () => {
    await goesUnanswered('SIM-SILENT-1');
    assert.equal(await registered('SIM-SILENT-1'), 1);
    assert.equal((await sendNumber('SIM-SILENT-1')).body['code'], 'E1023');
  });

  test('SIM-HTML is answered with HTTP 502 and an HTML page, every time', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { status, contentType, body } = await sendNumber('SIM-HTML-1');
      assert.deepEqual([status, contentType], [502, 'text/html']);
      assert.match(String(body['text']), /^<html>/u);
    }
    assert.equal(await registered('SIM-HTML-1'), 0);
  });

  test('SIM-LOST is registered, then the connection is cut; sent again, it is E1023', async () => {
    await assert.rejects(sendNumber('SIM-LOST-1'), /fetch failed/u);
    assert.equal(await registered('SIM-LOST-1'), 1);
    const { invoices } = await authority.ask('sales-invoice/invoices-status', {
      dateFrom: '2026-11-10',
      dateTo: '2026-11-10',
    });
    assert.ok((invoices as readonly Json[]).some(({ docNumber }) => docNumber === 'SIM-LOST-1'));
    assert.equal((await sendNumber('SIM-LOST-1')).body['code'], 'E1023');
    assert.equal(await registered('SIM-LOST-1'), 1);
  });

  test('under SIM-LOST a refusal is answered; the answer to the registration after it is lost', async () => {
    const document = sampleDocument({ docNumber: 'SIM-LOST-2' });
    assert.equal(await authority.refused(altered(document, { 'buyer.buyerName': 'Б' })), 'E10006');
    await assert.rejects(authority.send(document));
    assert.equal(await registered('SIM-LOST-2'), 1);
  });

  test('SIM-SLOW is answered late', async () => {
    const start = performance.now();
    const { status } = await sendNumber('SIM-SLOW-1');
    assert.equal(status, 200);
    assert.ok(performance.now() - start >= 49);
  });

  test('SIM-BUSY is refused twice with E4007, then accepted', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 3; time += 1) statuses.push((await sendNumber('SIM-BUSY-1')).status);
    assert.deepEqual(statuses, [429, 429, 200]);
    assert.equal(await registered('SIM-BUSY-1'), 1);
  });

  test('refusals of SIM-BUSY are counted per number and seller', async () => {
    assert.equal((await sendNumber('SIM-BUSY-2')).status, 429);
    const ofBeta = { docNumber: 'SIM-BUSY-2', seller: BETA, buyer: ALFA };
    const statuses: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      statuses.push((await authority.send(sampleDocument(ofBeta), { signer: beta })).status);
    }
    assert.deepEqual(statuses, [429, 429, 200]);
    assert.equal((await sendNumber('SIM-BUSY-2')).status, 429);
  });

  test('wrong credentials are refused before any scenario', async () => {
    const document = sampleDocument({ docNumber: 'SIM-TIMEOUT-9' });
    assert.equal(await authority.refused(document, { headers: { 'X-SERIAL-NUMBER': 'FFFF' } }), 'E1012');
  });

  test('numbers that only resemble a scenario are ordinary', async () => {
    for (const docNumber of ['SIM-TIMEOUTS-1', 'sim-busy-1', 'A-SIM-BUSY-1', 'SIM-REJECT', 'SIM-1']) {
      assert.equal((await sendNumber(docNumber)).status, 200, docNumber);
    }
  });
});
