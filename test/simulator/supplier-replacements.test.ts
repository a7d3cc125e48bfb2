import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, alfa, beta, startAuthority } from './authority-client.ts';
import { altered, type Json, sampleDocument } from './sample-document.ts';

const RANGE = { dateFrom: '2026-11-10', dateTo: '2026-11-10' };

/** Beta is the buyer and sees what its supplier Alfa does later. */
describe('a document that its supplier voids or corrects by the admin API', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const statusesSeen = async (euid: string) => {
    const { docStatus } = await authority.ask('purchase-invoice/current-status', { euid }, beta);
    const { invoices } = await authority.ask('purchase-invoice/invoices-status', RANGE, beta);
    const { statusHistory } = await authority.ask('purchase-invoice/changes', { date: '2026-11-15' }, beta);
    const row = (invoices as readonly Json[]).find((one) => one['euid'] === euid);
    const change = (statusHistory as readonly Json[]).findLast((one) => one['euid'] === euid);
    return [
      (docStatus as Json)['statusCode'],
      row?.['statusCode'],
      (change?.['newStatus'] as Json | undefined)?.['code'],
    ];
  };
  const payloadOf = async (euid: unknown) => {
    const { payload } = await authority.ask('purchase-invoice/payload', { euid }, beta);
    return JSON.parse(String(payload)) as Json & { readonly document: Json };
  };

  for (const [call, status, docStorno] of [
    ['void', '07', 1],
    ['correct', '09', 2],
  ] as const) {
    test(`${call}: the buyer sees status ${status} in every list, and the replacing document arrives`, async () => {
      const euid = await authority.registered();
      const answer = await authority.admin(`documents/${call}`, { euid, comment: 'по договор' });
      assert.deepEqual([answer['httpStatus'], answer['status']], [200, status], JSON.stringify(answer));
      assert.deepEqual(await statusesSeen(euid), [status, status, status]);
      const { euids } = await authority.ask('purchase-invoice/ids', RANGE, beta);
      assert.ok((euids as readonly unknown[]).includes(answer['replacedBy']));
      const { document } = await payloadOf(answer['replacedBy']);
      assert.equal((document['header'] as Json)['docStorno'], docStorno);
      const [reference] = document['docReferences'] as Json[];
      assert.deepEqual([reference?.['docTypeRef'], reference?.['docNumberRef']], ['ST', euid]);
    });

    test(`${call}: the replacing document is one that the authority accepts from the supplier itself`, async () => {
      const lines = [
        { quantity: 3, price: 10.5, discount: 0.5 },
        { quantity: 1, price: 7, group: 'DDV-B' },
      ] as const;
      const { replacedBy } = await authority.admin(`documents/${call}`, {
        euid: await authority.registered({ lines }),
      });
      const { document, requestTimestamp: _timestamp, ...siblings } = await payloadOf(replacedBy);
      const original = await authority.registered({ lines });
      const references = [{ ...(document['docReferences'] as Json[])[0], docNumberRef: original }];
      const own = altered(document, { 'header.docId': `own-${call}`, docReferences: references });
      const { status, body } = await authority.send(own, { siblings });
      assert.equal(status, 200, JSON.stringify(body));
    });

    test(`${call}: also after the buyer has accepted, but not twice`, async () => {
      const euid = await authority.registered();
      await authority.ask('purchase-invoice/accept-reject', { euid, isAccepted: true }, beta);
      assert.equal((await authority.admin(`documents/${call}`, { euid }))['status'], status);
      assert.equal((await authority.admin(`documents/${call}`, { euid }))['httpStatus'], 400);
    });
  }

  test('the reason of a void is told with the change', async () => {
    const euid = await authority.registered();
    await authority.admin('documents/void', { euid, reasonCode: 'S-3', comment: 'вратено' });
    const { statusHistory } = await authority.ask('purchase-invoice/changes', { date: '2026-11-15' }, beta);
    const change = (statusHistory as readonly Json[]).findLast((one) => one['euid'] === euid);
    assert.deepEqual(
      [change?.['voidReasonCode'], change?.['voidReason'], change?.['voidComment']],
      ['S-3', 'Стоката е вратена во целост', 'вратено'],
    );
  });

  test('the seller sees the status of its own document too', async () => {
    const euid = await authority.registered();
    await authority.admin('documents/void', { euid });
    const { docStatus } = await authority.ask('sales-invoice/current-status', { euid }, alfa);
    assert.equal((docStatus as Json)['statusCode'], '07');
  });

  test('calls that name no document that can be replaced, or no reason of the list, are refused', async () => {
    const euid = await authority.registered();
    const { replacedBy } = await authority.admin('documents/void', { euid: await authority.registered() });
    const inputs = [{}, { euid: 'none' }, { euid: replacedBy }, { euid, reasonCode: 'S-99' }, { euid, reason: 'S-1' }];
    for (const input of inputs) {
      const { httpStatus, error } = await authority.admin('documents/void', input);
      assert.deepEqual([httpStatus, typeof error], [400, 'string'], JSON.stringify(input));
    }
    assert.equal((await authority.send(sampleDocument())).status, 200);
    assert.equal((await authority.listed(`?euid=${euid}`))[0]?.['status'], '01');
  });
});
