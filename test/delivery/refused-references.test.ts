import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { ConversionWarning } from '../../src/domain/documents/conversion-warning.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { sampleCreditNote, sampleInvoice } from '../support/ubl-samples.ts';
import { DAY, type Delivering, startDelivering, type Taxpayer } from './support.ts';

const ORDER = `<cac:OrderReference><cbc:ID>N-7</cbc:ID><cbc:IssueDate>2026-10-01</cbc:IssueDate></cac:OrderReference>`;
const PARTY = '  <cac:AccountingSupplierParty>';

describe('a document that is refused because of optional references', () => {
  let delivering: Delivering;
  let alfa: Taxpayer;
  before(async () => {
    delivering = await startDelivering();
    ({ alfa } = delivering);
  });
  afterEach(() => delivering.pull('rules', {}));
  after(() => delivering.service.stop());

  async function ended(docUid: DocUid) {
    const document = await delivering.reach(alfa, docUid, 40, 50, 55);
    const warnings = (document.ujp?.warnings ?? []) as readonly ConversionWarning[];
    const leftOut = warnings.filter(({ code }) => code === 'REFERENCE-LEFT-OUT').map(({ text }) => text);
    return { status: document.status, steps: await alfa.steps(docUid), leftOut };
  }

  const ordered = (number: string) => alfa.submitted(sampleInvoice({ number }).replace(PARTY, `${ORDER}${PARTY}`));

  test('is sent once more without them, with a warning; its type is remembered, shown, forgotten in time or cleared', async () => {
    const { referenceRefusals } = delivering.service.operator;
    await delivering.pull('rules', { undeclaredReferences: 'refused' });
    const first = await ended(await ordered('ORDERED-1'));
    assert.deepEqual([first.status, first.steps], [40, '10 20 30 20:UJP-E1021 30 40']);
    assert.match(first.leftOut.join(), /the authority refused/u);
    assert.equal((await delivering.registered({ docNumber: 'ORDERED-1' })).length, 1);
    const [known, ...others] = await referenceRefusals.list();
    assert.deepEqual([known?.environment, known?.docTypeCode, others], ['test', '100', []]);
    assert.match(known?.reason ?? '', /E1021/u);

    const second = await ended(await ordered('ORDERED-2'));
    assert.deepEqual([second.status, second.steps], [40, '10 20 30 40']);
    assert.match(second.leftOut.join(), /refused references on documents of type 100/u);

    await referenceRefusals.clear('test', '100');
    assert.deepEqual(await referenceRefusals.list(), []);
    await assert.rejects(referenceRefusals.clear('test', '100'), /No refusal of references/u);
    assert.equal((await ended(await ordered('ORDERED-3'))).steps, '10 20 30 20:UJP-E1021 30 40');

    await delivering.pull('rules', {});
    delivering.clock.advance(8 * DAY);
    assert.deepEqual(await referenceRefusals.list(), []);
    assert.deepEqual(await ended(await ordered('ORDERED-4')), { status: 40, steps: '10 20 30 40', leftOut: [] });
  });

  test('on the day of the invoice that it credits is sent without that reference alone, and nobody else is', async () => {
    await delivering.reach(alfa, await alfa.send('CREDITED'), 40);
    const billing = `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>CREDITED</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`;
    const issueDate = (await delivering.registered({ docNumber: 'CREDITED' }))[0]?.docDate ?? '';
    const credit = (number: string) =>
      alfa.submitted(sampleCreditNote({ number, issueDate }).replace(PARTY, `${ORDER}${billing}${PARTY}`));
    const first = await ended(await credit('CREDIT-1'));
    assert.deepEqual([first.status, first.steps], [40, '10 20 30 20:UJP-E50073 30 40']);
    assert.equal(first.leftOut.length, 1);
    assert.match(first.leftOut.join(), /of the document's own day/u);
    assert.deepEqual(await delivering.service.operator.referenceRefusals.list(), []);
    await delivering.pull('rules', { sameDayReferences: 'accepted' });
    assert.deepEqual(await ended(await credit('CREDIT-2')), { status: 40, steps: '10 20 30 40', leftOut: [] });
  });

  test('of other content as well is rejected as it is', async () => {
    const { status, steps } = await ended(await ordered('SIM-E1020-R'));
    assert.deepEqual([status, steps], [50, '10 20 30 50:UJP-E1020']);
  });

  test('again and again is rejected once there is nothing left to leave out', async () => {
    const { status, steps } = await ended(await ordered('SIM-E1021-R'));
    assert.deepEqual([status, steps], [50, '10 20 30 20:UJP-E1021 30 50:UJP-E1021']);
    // It was not because of the references: nothing is remembered of its type.
    assert.deepEqual(await delivering.service.operator.referenceRefusals.list(), []);
  });
});
