import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { ErrorCode } from '../../src/application/errors/problem-catalogue.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { bytesOf, sampleCreditNote, sampleInvoice, without } from '../support/ubl-samples.ts';
import { clientFor, json } from './support/client.ts';
import { bare, freshInvoice } from './support/documents.ts';
import { OUTBOUND_DOCUMENT, OUTBOUND_ITEM, readFields, readPage, SUBMIT_RESULT } from './support/fields.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const clock = clockAt('2026-11-02T08:30:00.250Z');
const service = await startTestService({ clock });
after(() => service.stop());
const alfa = clientFor(service, 'demo-alfa');

const detailOf = async (xml: string | Uint8Array<ArrayBuffer>) => {
  const { docUid } = readFields(SUBMIT_RESULT, json(await alfa.submit(xml)));
  return readFields(OUTBOUND_DOCUMENT, json(await alfa.get(`/outbound/${docUid}`)));
};

suite('POST /outbound: 201', () => {
  test('the submit result says when the document was received', async () => {
    const { submit, get } = await newTenant(service);
    const answer = await submit(sampleInvoice());
    const { docUid, ...result } = readFields(SUBMIT_RESULT, json(answer));
    const expected = { status: 10, receivedAt: '2026-11-02T08:30:00.250Z', alreadyExisted: false };
    assert.deepEqual([answer.status, result], [201, expected]);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json(;|$)/u);
    const { createdAt } = readFields(OUTBOUND_DOCUMENT, json(await get(`/outbound/${docUid}`)));
    assert.equal(createdAt, result.receivedAt);
  });

  test('number, amount, currency and recipient are read from the document', async () => {
    const invoice = await detailOf(sampleInvoice({ number: 'Ф 7/26', amount: '-1234.50', currency: 'EUR' }));
    assert.deepEqual(
      [invoice.documentNumber, invoice.amount, invoice.currency, invoice.partnerEdb],
      ['Ф 7/26', -1234.5, 'EUR', '4080026000023'],
    );
    assert.equal((await detailOf(sampleCreditNote())).documentNumber, 'КО-2026-0007');
  });

  test('the currency of the amount stands in where the document names none', async () => {
    const { currency } = await detailOf(without(sampleInvoice({ currency: 'USD' }), 'cbc:DocumentCurrencyCode'));
    assert.equal(currency, 'USD');
  });

  const RECIPIENTS = {
    'with the prefix MK': [{ taxNumber: 'MK4080026000023' }, '4080026000023'],
    'with the prefix in Cyrillic and blanks': [{ taxNumber: 'МК 4080 0260 00023' }, '4080026000023'],
    'whose country is not given': [{ country: null }, '4080026000023'],
    'whose number breaks the check digit': [{ taxNumber: '4080026000029' }, '4080026000029'],
    'abroad, with any number': [{ taxNumber: 'DE 129273398', country: 'DE' }, 'DE 129273398'],
    'who is a person without a number': [{ taxNumber: null }, null],
    'abroad without a number': [{ taxNumber: null, country: 'AT' }, null],
  } as const;
  for (const [name, [recipient, partnerEdb]] of Object.entries(RECIPIENTS)) {
    test(`a recipient ${name} is accepted`, async () => {
      assert.equal((await detailOf(sampleInvoice({ recipient }))).partnerEdb, partnerEdb);
    });
  }

  test('the version of UBL need not be stated', async () => {
    assert.equal((await detailOf(sampleInvoice({ versionId: null }))).status, 10);
  });

  for (const label of ['application/xml', 'text/xml; charset=utf-8', 'application/json', 'nonsense', 'a/b; c=;;', '']) {
    test(`the bytes are judged, not their label: Content-Type "${label}"`, async () => {
      const headers = { 'X-Idempotency-Key': `label ${label}`, 'Content-Type': label };
      assert.equal((await alfa.post('/outbound', freshInvoice(), headers)).status, 201);
    });
  }

  test('a submission without any Content-Type is accepted', async () => {
    const answer = await alfa.post('/outbound', bytesOf(freshInvoice()), { 'X-Idempotency-Key': 'no label' });
    assert.equal(answer.status, 201);
  });

  test('the same document under two keys is two documents', async () => {
    const { submit, get } = await newTenant(service);
    await submit(sampleInvoice(), 'one');
    assert.equal((await submit(sampleInvoice(), 'two')).status, 201);
    assert.equal(readPage(OUTBOUND_ITEM, json(await get('/outbound'))).totalCount, 2);
  });

  test('the supplier need not be the tenant to be accepted, and is no tenant-identifying value', async () => {
    assert.equal((await alfa.submit(sampleInvoice({ supplier: { taxNumber: '4001026000034' } }))).status, 201);
  });
});

suite('POST /outbound: rejections', () => {
  const tenantIn = (markup: string) => sampleInvoice({ extension: markup });
  const REFUSED: readonly (readonly [ErrorCode, string, string])[] = [
    ['ERR-1007', 'an element naming a tenant', tenantIn('<x:Tenant_ID xmlns:x="urn:x">7</x:Tenant_ID>')],
    ['ERR-1007', 'an attribute naming a tenant', tenantIn('<x xmlns="urn:x" taxpayer-uid="7"/>')],
    ['ERR-1007', 'JSON that names a tenant deep inside', '{"documents":[{"meta":{"tenantCode":"A"}}]}'],
    ['ERR-2001', 'no XML', 'not XML at all'],
    ['ERR-2001', 'an element that is not closed', sampleInvoice().replace('</cbc:ID>', '')],
    ['ERR-2001', 'JSON', '{"invoice":1}'],
    ['ERR-2001', 'a DOCTYPE', sampleInvoice().replace('<Invoice', '<!DOCTYPE Invoice><Invoice')],
    ['ERR-2002', 'another root element', '<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>'],
    ['ERR-2002', 'an Invoice of another namespace', '<Invoice xmlns="urn:example"/>'],
    ['ERR-2002', 'UBL 2.0', sampleInvoice({ versionId: '2.0' })],
    ['ERR-2002', 'an element the schema does not know', sampleInvoice().replace('<cbc:Note', '<cbc:Nota/><cbc:Note')],
    ['ERR-2002', 'a wrapper around one document', `<Batch>${bare(sampleInvoice())}</Batch>`],
    ['ERR-2003', 'no customer', without(sampleInvoice(), 'cac:AccountingCustomerParty')],
    ['ERR-2003', 'a customer without name and number', sampleInvoice({ recipient: { name: null, taxNumber: null } })],
    ['ERR-2004', 'a tax number of five digits', sampleInvoice({ recipient: { taxNumber: '12345' } })],
    [
      'ERR-2004',
      'a foreign number of 31 characters',
      sampleInvoice({ recipient: { taxNumber: '1'.repeat(31), country: 'DE' } }),
    ],
    ['ERR-2005', 'no InvoiceTypeCode', sampleInvoice({ typeCode: null })],
    ['ERR-2005', 'no CreditNoteTypeCode', sampleCreditNote({ typeCode: null })],
    ['ERR-2006', 'no PayableAmount', sampleInvoice({ amount: null })],
    ['ERR-2006', 'a PayableAmount in words', sampleInvoice({ amount: 'many' })],
    ['ERR-2002', 'a document number of more than 499 characters', sampleInvoice({ number: 'n'.repeat(500) })],
    ['ERR-2011', 'two root elements of any name', '<a/><b/>'],
    ['ERR-2011', 'two documents one after the other', sampleInvoice() + sampleCreditNote()],
    ['ERR-2011', 'a wrapper around two', `<Batch>${bare(sampleInvoice())}${bare(sampleCreditNote())}</Batch>`],
  ];
  for (const [code, name, body] of REFUSED) {
    test(`${name}: ${code}, and nothing is stored`, async () => {
      const { submit, get } = await newTenant(service);
      assertProblem(await submit(body), code);
      assert.equal(readPage(OUTBOUND_ITEM, json(await get('/outbound'))).totalCount, 0);
    });
  }

  test('ERR-2001, 2002 and 2011 name the place and what was expected', async () => {
    for (const body of [sampleInvoice().replace('</cbc:ID>', ''), '<Order/>', sampleInvoice() + sampleInvoice()]) {
      const { detail } = json(await alfa.submit(body)) as { readonly detail: string };
      assert.match(detail, /line \d+.*column \d+/isu);
      assert.match(detail, /expected/iu);
    }
  });

  for (const idempotencyKey of [undefined, '', '  \t ']) {
    test(`X-Idempotency-Key ${idempotencyKey === undefined ? 'missing' : `"${idempotencyKey}"`}: ERR-2013`, async () => {
      const headers = idempotencyKey === undefined ? {} : { 'X-Idempotency-Key': idempotencyKey };
      assertProblem(await alfa.post('/outbound', freshInvoice(), headers), 'ERR-2013');
    });
  }
});
