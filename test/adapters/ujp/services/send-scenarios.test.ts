import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Authority } from '../../../simulator/authority-client.ts';
import {
  ALFA_TENANT,
  callErrorKindOf,
  callErrorOf,
  clientOf,
  prepared,
  startWithClient,
  type TestClient,
} from './client.ts';

suite('sending to an authority that', () => {
  let authority: Authority;
  let both: TestClient;
  before(async () => {
    ({ authority, ...both } = await startWithClient(null, { slowMs: 20 }));
  });
  after(() => authority.simulator.close());

  const sendBy = async ({ client }: TestClient, document: ReturnType<typeof prepared>) =>
    client.send(ALFA_TENANT, document, await client.requestTimestamp(ALFA_TENANT));
  const send = (docNumber: string) => sendBy(both, prepared({ docNumber }));
  const impatient = () => clientOf(authority, { timeouts: { queryMs: 30_000, sendMs: 500 } });
  const registered = async (docNumber: string) => (await authority.listed(`?docNumber=${docNumber}`)).length;

  const CODES_BY_KIND: Readonly<Record<string, readonly string[]>> = {
    'error, uncertain': ['E4009', 'E5000', 'E5001'],
    'error, certain': ['E4012', 'E40121', 'E40122', 'E5003', 'E5008', 'E5011', 'E4025'],
    'credentials, certain': [
      ...['E1010', 'E1011', 'E1012', 'E1013', 'E1014', 'E4016', 'E4020', 'E4021', 'E4022', 'E4023'],
      ...['E5002', 'E5004', 'E5012'],
    ],
    'busy, certain': ['E4007'],
    'request-refused, certain': [
      ...['E4000', 'E4001', 'E4004', 'E4005', 'E4010', 'E4011', 'E4013', 'E40131', 'E4015', 'E4018', 'E4024'],
      ...['E5005', 'E50051', 'E1002', 'E1015', 'E1018', 'E1019', 'E7777', 'E500719'],
    ],
    'refused, certain': [
      ...[
        'E1000',
        'E10001',
        'E10008',
        'E1001',
        'E10011',
        'E10012',
        'E1004',
        'E1006',
        'E1009',
        'E1016',
        'E1017',
        'E1020',
      ],
      ...[
        'E10201',
        'E10203',
        'E1021',
        'E10211',
        'E1022',
        'E1023',
        'E1024',
        'E1031',
        'E1032',
        'E4019',
        'E5006',
        'E5007',
      ],
      ...['E50071', 'E50079', 'E500710', 'E500718'],
    ],
  };
  for (const [kind, codes] of Object.entries(CODES_BY_KIND)) {
    for (const code of codes) {
      test(`reports ${code}: ${kind}`, async () => {
        const error = await callErrorOf(send(`SIM-${code}-1`));
        assert.equal(`${error.kind}, ${error.isUncertain ? 'uncertain' : 'certain'}`, kind);
        assert.equal(error.errors.length, 1);
        assert.equal(error.errors[0]?.code, code);
        assert.notEqual(error.errors[0]?.message, '');
        assert.equal(JSON.parse(error.answer ?? '').code, code);
        assert.match(error.message, new RegExp(`/JSONReceiver/api/v1/sales-invoices/send .*: ${code} `, 'u'));
      });
    }
  }

  test('never answers: timeout, uncertain, whether or not it registered the document', async () => {
    for (const docNumber of ['SIM-TIMEOUT-1', 'SIM-SILENT-1']) {
      const error = await callErrorOf(sendBy(impatient(), prepared({ docNumber })));
      assert.deepEqual([error.kind, error.isUncertain, error.errors], ['timeout', true, []]);
      assert.match(error.message, /did not answer within 500 ms/u);
    }
    assert.equal(await registered('SIM-TIMEOUT-1'), 0);
    assert.equal(await registered('SIM-SILENT-1'), 1);
  });

  test('answers HTTP 502 with a page: error, uncertain; the page is kept as the answer', async () => {
    const error = await callErrorOf(send('SIM-HTML-1'));
    assert.deepEqual([error.kind, error.isUncertain], ['error', true]);
    assert.match(error.answer ?? '', /502 Bad Gateway/u);
  });

  test('closes the connection after registering: unreachable, uncertain; the look-up finds the document, a repetition gets E1023', async () => {
    const document = prepared({ docNumber: 'SIM-LOST-1' });
    assert.equal(await callErrorKindOf(sendBy(both, document)), 'unreachable, uncertain');
    const found = await both.client.findRegistered(ALFA_TENANT, document);
    assert.equal(found?.status.code, '01');
    const again = await callErrorOf(sendBy(both, document));
    assert.deepEqual([again.kind, again.errors[0]?.code], ['refused', 'E1023']);
    assert.equal(await registered('SIM-LOST-1'), 1);
  });

  test('answers slowly: the document is registered', async () => {
    assert.notEqual((await send('SIM-SLOW-1')).euid, '');
  });

  test('limits the rate: busy, certain, and the client does not repeat a send by itself', async () => {
    const document = prepared({ docNumber: 'SIM-BUSY-1' });
    const { length } = both.turns;
    assert.equal(await callErrorKindOf(sendBy(both, document)), 'busy, certain');
    assert.equal(both.turns.length, length + 1);
    assert.equal(await callErrorKindOf(sendBy(both, document)), 'busy, certain');
    assert.notEqual((await sendBy(both, document)).euid, '');
  });

  test('reports several errors: all of them are kept, in the error and in its message', async () => {
    const document = prepared({ lines: [{ quantity: 1, price: 100 }] });
    const text = document.text.replace('"sellerName":"', '"sellerName":"x').replace('"buyerName":"', '"buyerName":"x');
    const error = await callErrorOf(sendBy(both, { ...document, text }));
    assert.equal(error.kind, 'refused');
    assert.deepEqual(
      error.errors.map(({ code }) => code),
      ['E10002', 'E10006'],
    );
    assert.match(error.message, /E10002 .*; E10006 /u);
  });

  test('is out of order: never the kind "refused", which would be final', async () => {
    const outages = { '502-html': 'error, uncertain', refuse: 'unreachable, uncertain', timeout: 'timeout, uncertain' };
    const timestamp = await both.client.requestTimestamp(ALFA_TENANT);
    for (const [outage, kind] of Object.entries(outages)) {
      await authority.admin('outage', { on: true, kind: outage });
      assert.equal(await callErrorKindOf(impatient().client.send(ALFA_TENANT, prepared(), timestamp)), kind);
      await authority.admin('outage', { on: false });
    }
  });
});
