import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, alfa, startAuthority } from './authority-client.ts';
import { altered, GAMA, sampleDocument } from './sample-document.ts';

describe('sending a document', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  test('returns EUID, QR link, message, status, timestamp and whether the buyer uses the system', async () => {
    const { status, contentType, body } = await authority.send(sampleDocument());
    assert.deepEqual([status, contentType], [200, 'application/json']);
    const { euid, qr_link, ...rest } = body;
    assert.match(String(euid), /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u);
    assert.equal(Number.parseInt(String(euid).replace('-', '').slice(0, 12), 16), authority.clock.now().getTime());
    assert.equal(qr_link, `${authority.simulator.portalUrl}/euid/${euid}`);
    assert.deepEqual(rest, {
      message: 'Фактура успешно зачувана',
      status: 200,
      e_invoice_user: true,
      timestamp: '2026-11-15T09:00:00.000Z',
    });
  });

  test('e_invoice_user is false for a buyer without users', async () => {
    const kapa = {
      ...GAMA,
      tin: '4030026000280',
      name: 'КАПА ЗАНАЕТ ТП Куманово',
      city: 'Куманово',
      zip: '1300',
    };
    const { body } = await authority.send(sampleDocument({ buyer: kapa }));
    assert.equal(body['e_invoice_user'], false);
  });

  test('EUIDs are in the order of registration, also within a millisecond', async () => {
    const euids: string[] = [];
    for (let index = 0; index < 20; index += 1) euids.push(await authority.registered());
    assert.deepEqual(euids, euids.toSorted());
  });

  test('the same docId of one seller is registered once, E1023 after that', async () => {
    const document = sampleDocument({ docId: 'once', docNumber: 'once' });
    assert.equal((await authority.send(document)).status, 200);
    assert.equal(await authority.refused(document), 'E1023');
    assert.equal(await authority.refused(altered(document, { 'header.docNumber': 'other' })), 'E1023');
    assert.equal((await authority.listed('?docId=once')).length, 1);
  });

  test('another seller may use the same docId', async () => {
    const gama = { ...alfa, eujpId: 'demo-gama', edb: GAMA.tin };
    const { eujpId, edb, certificatePem } = gama;
    await authority.admin('certificates', { eujpId, edb, certificatePem });
    const note = 'ДДВ не е пресметан согласно член 51 став 3 од ЗДДВ';
    const lines = [{ quantity: 1, price: 10, group: 'DDV-G', impact: 'OSLOBODEN', note }] as const;
    await authority.registered({ docId: 'shared' });
    await authority.registered({ docId: 'shared', seller: GAMA, lines }, { signer: gama });
    assert.equal((await authority.listed('?docId=shared')).length, 2);
  });

  test('of fifty equal requests at the same moment one is registered', async () => {
    const document = sampleDocument({ docId: 'race', docNumber: 'race' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => authority.send(document)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ body }) => body['code'] === 'E1023').length, 49);
    assert.equal((await authority.listed('?docNumber=race')).length, 1);
  });

  test('fifty different documents at the same moment are all registered', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => authority.send(sampleDocument())));
    assert.equal(new Set(answers.map(({ body }) => body['euid'])).size, 50);
  });

  test('an error has code and message; several errors are also listed', async () => {
    const one = await authority.send(altered(sampleDocument(), { 'seller.sellerName': 'Друг' }));
    assert.deepEqual([one.status, Object.keys(one.body)], [400, ['code', 'message']]);
    const two = await authority.send(
      altered(sampleDocument(), { 'seller.sellerName': 'Друг', 'buyer.buyerAddress.city': 'Охрид' }),
    );
    assert.deepEqual(Object.keys(two.body), ['code', 'message', 'errors']);
    const errors = two.body['errors'] as readonly Record<string, unknown>[];
    assert.deepEqual(
      errors.map(({ code, parameter }) => [code, parameter]),
      [
        ['E10002', 'document.seller.sellerName'],
        ['E10004', 'document.buyer.buyerAddress.city'],
      ],
    );
    assert.equal(two.body['code'], 'E10002');
  });

  test('checks are made in the order of the authority, the signature after the document', async () => {
    const tampered = { jws: (jws: string) => `${jws.slice(0, -6)}AAAAAA` };
    const wrong = altered(sampleDocument(), {
      'docTotals.docFinalAmount': 1,
      'seller.sellerName': 'Друг',
      'header.docNumber': null,
    });
    const stale = { timestamp: '2026-11-15T09:00:00', envelope: {} };
    assert.equal(await authority.refused(wrong, { ...tampered, ...stale }), 'E40122');
    const stranger = { headers: { 'X-EUJP-ID': 'nobody' } };
    assert.equal(await authority.refused(wrong, { ...tampered, ...stranger }), 'E4022');
    assert.equal(await authority.refused(wrong, tampered), 'E4019');
    const named = altered(wrong, { 'header.docNumber': 'named' });
    assert.equal(await authority.refused(named, tampered), 'E10002');
    const right = altered(named, { 'seller.sellerName': 'АЛФА ДОО Скопје' });
    assert.equal(await authority.refused(right, tampered), 'E10201');
    assert.equal(await authority.refused(altered(right, { 'docTotals.docFinalAmount': 2360 }), tampered), 'E50051');
  });

  test('the receiver has one path; any other is a 404 without a body', async () => {
    const { receiverUrl } = authority.simulator;
    for (const path of ['/api/v1/documents/sales-invoice/ids', '/api/v1/sales-invoices', '/']) {
      const response = await fetch(`${receiverUrl}${path}`, { method: 'POST', body: '{}' });
      assert.deepEqual([response.status, await response.text()], [404, '']);
    }
    const wrongMethod = await fetch(`${receiverUrl}/api/v1/sales-invoices/send`);
    assert.deepEqual([wrongMethod.status, ((await wrongMethod.json()) as { code: string }).code], [405, 'E4005']);
  });
});
