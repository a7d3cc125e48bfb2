import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Authority } from '../../../simulator/authority-client.ts';
import { ALFA_TENANT, clientOf, faultOf, prepared, startBoth, type TestClient, verdictOf } from './client.ts';

suite('sending to an authority that', () => {
  let authority: Authority;
  let both: TestClient;
  before(async () => {
    ({ authority, ...both } = await startBoth(null, { slowMs: 20 }));
  });
  after(() => authority.simulator.close());

  const sendBy = async ({ client }: TestClient, document: ReturnType<typeof prepared>) =>
    client.send(ALFA_TENANT, document, await client.requestTimestamp(ALFA_TENANT));
  const send = (docNumber: string) => sendBy(both, prepared({ docNumber }));
  const impatient = () => clientOf(authority, { timeouts: { queryMs: 30_000, sendMs: 500 } });
  const registered = async (docNumber: string) => (await authority.listed(`?docNumber=${docNumber}`)).length;

  const VERDICTS: Readonly<Record<string, readonly string[]>> = {
    'error, uncertain': ['E4009', 'E5000', 'E5001'],
    'error, certain': ['E4012', 'E40121', 'E40122', 'E5003', 'E5008', 'E5011', 'E4025'],
    'credentials, certain': [
      ...['E1010', 'E1011', 'E1012', 'E1013', 'E1014', 'E4016', 'E4020', 'E4021', 'E4022', 'E4023'],
      ...['E5002', 'E5004', 'E5012'],
    ],
    'busy, certain': ['E4007'],
    'refused, certain': ['E1000', 'E10201', 'E1023', 'E1032', 'E4000', 'E4013', 'E4015', 'E50051', 'E500718', 'E5007'],
  };
  for (const [verdict, codes] of Object.entries(VERDICTS)) {
    for (const code of codes) {
      test(`says ${code}: ${verdict}`, async () => {
        const fault = await faultOf(send(`SIM-REJECT-${code}-1`));
        assert.equal(`${fault.kind}, ${fault.isUncertain ? 'uncertain' : 'certain'}`, verdict);
        assert.equal(fault.errors.length, 1);
        assert.equal(fault.errors[0]?.code, code);
        assert.notEqual(fault.errors[0]?.message, '');
        assert.equal(JSON.parse(fault.answer ?? '').code, code);
        assert.match(fault.message, new RegExp(`/JSONReceiver/api/v1/sales-invoices/send .*: ${code} `, 'u'));
      });
    }
  }

  test('never answers: timeout, uncertain, whether it has registered the document or not', async () => {
    for (const docNumber of ['SIM-TIMEOUT-1', 'SIM-TIMEOUT-AFTER-1']) {
      const fault = await faultOf(sendBy(impatient(), prepared({ docNumber })));
      assert.deepEqual([fault.kind, fault.isUncertain, fault.errors], ['timeout', true, []]);
      assert.match(fault.message, /did not answer within 500 ms/u);
    }
    assert.equal(await registered('SIM-TIMEOUT-1'), 0);
    assert.equal(await registered('SIM-TIMEOUT-AFTER-1'), 1);
  });

  test('answers a page with HTTP 502: error, uncertain, with the page', async () => {
    const fault = await faultOf(send('SIM-502-HTML-1'));
    assert.deepEqual([fault.kind, fault.isUncertain], ['error', true]);
    assert.match(fault.answer ?? '', /502 Bad Gateway/u);
  });

  test('cuts the connection: unreachable, uncertain; the document is found, and a repetition is known', async () => {
    const document = prepared({ docNumber: 'SIM-LOST-ANSWER-1' });
    assert.equal(await verdictOf(sendBy(both, document)), 'unreachable, uncertain');
    const found = await both.client.findRegistered(ALFA_TENANT, document);
    assert.equal(found?.status.code, '01');
    const again = await faultOf(sendBy(both, document));
    assert.deepEqual([again.kind, again.errors[0]?.code], ['refused', 'E1023']);
    assert.equal(await registered('SIM-LOST-ANSWER-1'), 1);
  });

  test('takes its time: registered', async () => {
    assert.notEqual((await send('SIM-SLOW-1')).euid, '');
  });

  test('turns away: busy, certain, and nobody but the sender tries again', async () => {
    const document = prepared({ docNumber: 'SIM-BUSY-1' });
    const { length } = both.turns;
    assert.equal(await verdictOf(sendBy(both, document)), 'busy, certain');
    assert.equal(both.turns.length, length + 1);
    assert.equal(await verdictOf(sendBy(both, document)), 'busy, certain');
    assert.notEqual((await sendBy(both, document)).euid, '');
  });

  test('finds several faults: all of them are told', async () => {
    const document = prepared({ lines: [{ quantity: 1, price: 100 }] });
    const text = document.text.replace('"sellerName":"', '"sellerName":"x').replace('"buyerName":"', '"buyerName":"x');
    const fault = await faultOf(sendBy(both, { ...document, text }));
    assert.equal(fault.kind, 'refused');
    assert.deepEqual(
      fault.errors.map(({ code }) => code),
      ['E10002', 'E10006'],
    );
    assert.match(fault.message, /E10002 .*; E10006 /u);
  });

  test('is out of order in any way: never refused', async () => {
    const kinds = { '502-html': 'error, uncertain', refuse: 'unreachable, uncertain', timeout: 'timeout, uncertain' };
    const timestamp = await both.client.requestTimestamp(ALFA_TENANT);
    for (const [kind, verdict] of Object.entries(kinds)) {
      await authority.admin('outage', { on: true, kind });
      assert.equal(await verdictOf(impatient().client.send(ALFA_TENANT, prepared(), timestamp)), verdict);
      await authority.admin('outage', { on: false });
    }
  });
});
