import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ConversionWarning } from '../../src/domain/documents/conversion-warning.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { until } from '../support/process.ts';
import { sampleCreditNote, sampleInvoice } from '../support/ubl-samples.ts';
import { type Delivering, startDelivering, type Taxpayer } from './support.ts';

let delivering: Delivering;
let alfa: Taxpayer;
before(async () => {
  delivering = await startDelivering();
  ({ alfa } = delivering);
});
after(() => delivering.service.stop());

describe('a document that cannot be delivered', () => {
  const requeue = (docUid: DocUid) => delivering.service.operator.requeueOutbound(alfa.edb, docUid);

  /** Submits it and gives what it fails with. */
  async function failed(xml: string, steps: string): Promise<string> {
    const docUid = await alfa.submitted(xml);
    const { failureCode, failureMessage, ujp } = await delivering.reach(alfa, docUid, 55);
    assert.equal(await alfa.steps(docUid), steps);
    assert.equal(`10 55:${failureCode}`, steps);
    assert.equal(ujp, null);
    assert.match(failureMessage ?? '', /^[A-Z].*\.$/u);
    assert.equal((await alfa.story(docUid)).dueAt, null);
    return failureMessage ?? '';
  }

  test('because it cannot be expressed fails with the name of the element', async () => {
    const message = await failed(sampleInvoice({ number: 'PROFORMA', typeCode: '325' }), '10 55:NOT-EXPRESSIBLE');
    assert.match(message, /proforma.*\(\/Invoice\/cbc:InvoiceTypeCode\)\.$/u);
    const abroad = sampleInvoice({ number: 'NOWHERE', recipient: { country: 'XX' } });
    assert.match(await failed(abroad, '10 55:NOT-EXPRESSIBLE'), /“XX”.*cac:Country/u);
  });

  test('because it is of another supplier fails with both tax numbers', async () => {
    const foreign = sampleInvoice({ number: 'FOREIGN', supplier: { taxNumber: '4080026000023' } });
    const message = await failed(foreign, '10 55:SUPPLIER-MISMATCH');
    assert.match(message, /4080026000023.*4030026000018.*AccountingSupplierParty/u);
  });

  test('because its totals do not add up fails with both figures', async () => {
    const message = await failed(sampleInvoice({ number: 'WRONG', amount: '1000.00' }), '10 55:TOTALS-MISMATCH');
    assert.match(message, /states 1000\.00, but .* is \d+.*cbc:PayableAmount/u);
  });

  test('shows the operator what was left out or assumed before it failed', async () => {
    const { operator } = delivering.service;
    const docUid = await alfa.submitted(sampleInvoice({ number: 'WARNED', amount: '1000.00' }));
    await delivering.reach(alfa, docUid, 55);
    const { warnings } = (await operator.inspectOutbound(alfa.edb, docUid)).document;
    assert.ok(
      warnings.some(({ code }) => code === 'ITEM-DESCRIPTION-LEFT-OUT'),
      JSON.stringify(warnings),
    );
  });

  test('is explained in the language of the taxpayer, as soon as that is changed; the operator reads English', async () => {
    const { tenants } = delivering.service.operator;
    const docUid = await alfa.submitted(sampleInvoice({ number: 'IN-MACEDONIAN', amount: '1000.00' }));
    const { failureMessage: english } = await delivering.reach(alfa, docUid, 55);
    await tenants.set(alfa.edb, { language: 'mk' });
    const message = await until('a message in Macedonian', async () => {
      const { failureMessage } = await alfa.document(docUid);
      return failureMessage === english ? null : failureMessage;
    });
    assert.match(
      message,
      /^Како износ за плаќање е наведено 1000\.00, а .* тој е \d+\.\d\d; .*cbc:PayableAmount\)\.$/u,
    );
    assert.equal((await alfa.story(docUid)).document.failureMessage, english);
    await tenants.set(alfa.edb, { language: 'en' });
    await until('a message in English', async () => (await alfa.document(docUid)).failureMessage === english);
  });

  test('is delivered when the operator requeues it after what was wrong has been mended at the authority', async () => {
    // The register does not have the buyer, and the document does not name it: there is nothing to take its name from.
    const buyer = '4090000000123';
    const xml = sampleInvoice({ number: 'MENDED', recipient: { name: null, taxNumber: buyer } });
    const docUid = await alfa.submitted(xml);
    const { failureCode } = await delivering.reach(alfa, docUid, 55);
    assert.equal(failureCode, 'NOT-EXPRESSIBLE');
    await delivering.pull('companies', { taxNumber: buyer, name: 'НОВА ДОО Скопје' });
    assert.equal(await requeue(docUid), 'requeued');
    await delivering.reach(alfa, docUid, 40);
    assert.equal(await alfa.steps(docUid), '10 55:NOT-EXPRESSIBLE 20 30 40');
    assert.equal((await delivering.registered({ docNumber: 'MENDED', buyer })).length, 1);
  });

  test('because nobody confirmed that the authority takes its currency is delivered once that is done', async () => {
    const { tenants } = delivering.service.operator;
    await tenants.set(alfa.edb, { foreignCurrency: false });
    const docUid = await alfa.submitted(sampleInvoice({ number: 'EUROS', currency: 'EUR' }));
    const { failureMessage } = await delivering.reach(alfa, docUid, 55);
    assert.match(failureMessage ?? '', /“EUR”.*tenant set 4030026000018 --foreign-currency yes.*DocumentCurrencyCode/u);
    await tenants.set(alfa.edb, { foreignCurrency: true });
    assert.equal(await requeue(docUid), 'requeued');
    const { ujp } = await delivering.reach(alfa, docUid, 40);
    const codes = ujp?.warnings.map((one) => (one as ConversionWarning).code);
    assert.ok(codes?.includes('EXCHANGE-RATE-ASSUMED'), String(codes));
  });

  test('is not requeued when it has not failed, and nobody else has it', async () => {
    const docUid = await alfa.send('FINE');
    assert.equal(await delivering.service.operator.requeueOutbound(delivering.beta.edb, docUid), 'not-found');
    await delivering.reach(alfa, docUid, 40);
    assert.equal(await requeue(docUid), 'not-failed');
  });
});

describe('of documents of one taxpayer with the same kind and number', () => {
  const DUPLICATE = '55:DUPLICATE-NUMBER';

  async function assertDuplicate(docUid: DocUid, other: string): Promise<void> {
    const { failureCode, failureMessage } = await delivering.reach(alfa, docUid, 55);
    assert.equal(failureCode, 'DUPLICATE-NUMBER');
    assert.match(failureMessage ?? '', new RegExp(`^Document ${other} .*\\.$`, 'u'));
  }

  test('the second is not delivered and names the first; another kind, number or taxpayer is', async () => {
    const { beta } = delivering;
    const first = await alfa.send('ONCE');
    await delivering.reach(alfa, first, 40);
    const second = await alfa.send('ONCE', { amount: '86140' });
    await assertDuplicate(second, first);
    const others = [await alfa.submitted(sampleCreditNote({ number: 'ONCE' })), await alfa.send('ONCE-MORE')];
    for (const docUid of others) await delivering.reach(alfa, docUid, 40);
    await delivering.reach(beta, await beta.send('ONCE', { recipient: { taxNumber: alfa.edb } }), 40);
    assert.equal((await delivering.registered({ docNumber: 'ONCE', seller: alfa.edb, docType: '100' })).length, 1);
  });

  test('a no-break space is not a space: both are delivered, each under its own number', async () => {
    const numbers = ['BLANK 1', 'BLANK\u00a01'];
    for (const docNumber of numbers) {
      const first = await alfa.send(docNumber);
      await delivering.reach(alfa, first, 40);
      await assertDuplicate(await alfa.send(docNumber), first);
      assert.equal((await delivering.registered({ docNumber })).length, 1, docNumber);
    }
  });

  test('exactly the older is delivered when they are submitted at once', async () => {
    const numbers = Array.from({ length: 10 }, (_, index) => `TWICE-${index}`);
    const pairs = await Promise.all(numbers.map((number) => Promise.all([alfa.send(number), alfa.send(number)])));
    for (const pair of pairs) {
      const [older, newer] = pair.toSorted();
      assert.ok(older !== undefined && newer !== undefined);
      await delivering.reach(alfa, older, 40);
      await assertDuplicate(newer, older);
      assert.match(await alfa.steps(newer), new RegExp(`^10 (20 )?${DUPLICATE}$`, 'u'));
    }
    for (const docNumber of numbers) assert.equal((await delivering.registered({ docNumber })).length, 1);
  });

  test('exactly one is delivered when both had failed and are requeued at once', async () => {
    const numbers = Array.from({ length: 10 }, (_, index) => `AGAIN-${index}`);
    const buyer = '4090000000124';
    const recipient = { name: null, taxNumber: buyer };
    const docUids: DocUid[] = [];
    // One after the other, so that a worker takes both of a pair together.
    for (const number of numbers.flatMap((one) => [one, one])) docUids.push(await alfa.send(number, { recipient }));
    for (const docUid of docUids) await delivering.reach(alfa, docUid, 55);
    await delivering.pull('companies', { taxNumber: buyer, name: 'НОВА ДОО Скопје' });
    await Promise.all(docUids.map((docUid) => delivering.service.operator.requeueOutbound(alfa.edb, docUid)));
    for (const [index, docNumber] of numbers.entries()) {
      const pair = docUids.slice(2 * index, 2 * index + 2);
      const ends = await Promise.all(pair.map((docUid) => delivering.reach(alfa, docUid, 40, 55)));
      assert.deepEqual(ends.map(({ status }) => status).toSorted(), [40, 55], docNumber);
      assert.equal((await delivering.registered({ docNumber })).length, 1);
    }
  });

  test('one that failed gives way, one that is cancelled gives way; what was accepted never does', async () => {
    const refused = await alfa.send('SIM-E1020-X');
    await delivering.reach(alfa, refused, 50);
    const again = await alfa.send('SIM-E1020-X');
    assert.equal((await delivering.reach(alfa, again, 50, 55)).status, 50);
    const wrong = await alfa.send('CORRECTED', { amount: '1.00' });
    await delivering.reach(alfa, wrong, 55);
    const right = await alfa.send('CORRECTED');
    await delivering.reach(alfa, right, 40);
    assert.equal(await delivering.service.operator.requeueOutbound(alfa.edb, wrong), 'requeued');
    await assertDuplicate(wrong, right);
    assert.equal(await alfa.steps(wrong), `10 55:TOTALS-MISMATCH 20 ${DUPLICATE}`);
  });
});
