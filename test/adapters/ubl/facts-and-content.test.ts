import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentOf } from '../../../src/adapters/ubl/content/stored-content.ts';
import { bytesOf, replaceElement, sampleInvoice } from '../../support/ubl-samples.ts';
import { factsOf } from './judging/judging.ts';
import { scan } from './scanner/scanning.ts';

const BLANKS = [0x85, 0xa0, 0x1680, 0x2003, 0x2009, 0x200b, 0x2028, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff];

test('whatever blank is inside a number, what is kept is what is sent', () => {
  for (const code of [...BLANKS, 0x9, 0xa, 0xd, 0x20]) {
    for (const number of [`A&#${code};1`, `&#${code};A1&#${code};`, `A&#${code};&#${code};1`]) {
      const reference = `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${number}</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`;
      const xml = replaceElement(sampleInvoice(), 'cbc:ID', `<cbc:ID>${number}</cbc:ID>`).replace(
        '<cac:AccountingSupplierParty>',
        `${reference}$&`,
      );
      const { documentNumber } = factsOf(xml);
      const content = contentOf(Buffer.from(xml));
      assert.equal(content.number, documentNumber, number);
      assert.equal(content.references[0]?.id.value, documentNumber, number);
      const scanned = scan(bytesOf(xml));
      if (scanned !== null) assert.equal(scanned.facts.documentNumber, documentNumber, number);
    }
  }
});

test('a blank that XML Schema does not know as one stays inside a number and is not taken for a space', () => {
  for (const code of BLANKS) {
    const blank = String.fromCodePoint(code);
    assert.equal(factsOf(sampleInvoice({ number: `A${blank}1` })).documentNumber, `A${blank}1`);
  }
});

test('names, codes and currencies are kept as they are sent', () => {
  const name = 'Бета\u00a0Инженеринг\tАД';
  const xml = sampleInvoice({ recipient: { name }, typeCode: '38\u00a00' }).replaceAll(
    /currencyID="MKD"/gu,
    'currencyID="MKD&#10;A"',
  );
  const facts = factsOf(xml.replace(/<cbc:DocumentCurrencyCode>.*?<\/cbc:DocumentCurrencyCode>/u, ''));
  const content = contentOf(Buffer.from(xml));
  assert.deepEqual([facts.recipient.name, content.customer.name], Array(2).fill('Бета\u00a0Инженеринг АД'));
  assert.equal(content.typeCode.value, facts.typeCode);
  assert.equal(content.totals.payable?.currency, facts.currency);
});

test('a currency in letters that only look like its own is kept as it is registered', () => {
  for (const code of ['МКD', 'mkd', 'ЕUR', 'МКД']) {
    const xml = sampleInvoice().replaceAll('MKD', code);
    const ofAmount = xml.replace(/<cbc:DocumentCurrencyCode>.*?<\/cbc:DocumentCurrencyCode>/u, '');
    const { currency } = contentOf(Buffer.from(xml));
    assert.deepEqual([factsOf(xml).currency, factsOf(ofAmount).currency], [currency, currency], code);
    const scanned = scan(bytesOf(xml));
    if (scanned !== null) assert.equal(scanned.facts.currency, currency, code);
  }
});
