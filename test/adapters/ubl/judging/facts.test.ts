import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentOf } from '../../../../src/adapters/ubl/content/stored-content.ts';
import { recogniseDocument } from '../../../../src/adapters/ubl/judging/judge-document.ts';
import { listedTaxNumber } from '../../../../src/domain/accounts/tax-number.ts';
import {
  ALFA,
  BETA,
  CAC,
  CBC,
  replaceElement,
  sampleCreditNote,
  sampleInvoice,
  without,
} from '../../../support/ubl-samples.ts';
import { factsOf, outcomeOn, refusalOf } from './judging.ts';

test('the facts of an invoice', () => {
  assert.deepEqual(factsOf(sampleInvoice()), {
    kind: 'Invoice',
    documentNumber: 'Ф-2026-00142',
    typeCode: '380',
    amount: '139216.40',
    currency: 'MKD',
    issueDate: '2026-10-30',
    supplier: ALFA,
    recipient: BETA,
  });
});

test('the facts of a credit note', () => {
  const facts = factsOf(sampleCreditNote());
  assert.deepEqual([facts.kind, facts.documentNumber, facts.typeCode], ['CreditNote', 'КО-2026-0007', '381']);
});

describe('namespaces', () => {
  test('may have any prefix', () => {
    const odd = sampleInvoice()
      .replaceAll(/(<\/?)cac:/gu, '$1x-1:')
      .replaceAll(/(<\/?)cbc:/gu, '$1cac:')
      .replace('xmlns:cac=', 'xmlns:x-1=')
      .replace('xmlns:cbc=', 'xmlns:cac=');
    assert.deepEqual(factsOf(odd), factsOf(sampleInvoice()));
  });

  test('may be the default one where they are used, and the root may have a prefix', () => {
    const odd = sampleInvoice()
      .replaceAll(/<cbc:(\w+)/gu, `<$1 xmlns="${CBC}"`)
      .replaceAll(/<cac:(\w+)/gu, `<$1 xmlns="${CAC}"`)
      .replaceAll(/<\/(?:cac|cbc):/gu, '</')
      .replace('<Invoice xmlns=', '<ubl:Invoice xmlns:ubl=')
      .replace('</Invoice>', '</ubl:Invoice>');
    assert.deepEqual(factsOf(odd), factsOf(sampleInvoice()));
  });

  test('count, not prefixes', () => {
    assert.equal(outcomeOn(sampleInvoice().replace(CAC, 'urn:example')), 'ERR-2003');
  });
});

describe('values', () => {
  test('are read through CDATA, comments and character references, without outer blanks', () => {
    const id = '<cbc:ID>\n  A<![CDATA[&]]>B<!-- not this -->&#x43;  D </cbc:ID>';
    assert.equal(factsOf(replaceElement(sampleInvoice(), 'cbc:ID', id)).documentNumber, 'A&BC  D');
  });

  test('dates and times may have white space around them, as XML Schema says', () => {
    const blank = (name: string, value: string) => `<${name}>\n\t ${value}&#13; </${name}>`;
    const xml = replaceElement(
      sampleInvoice(),
      'cbc:IssueDate',
      blank('cbc:IssueDate', '2026-11-02+01:00') + blank('cbc:IssueTime', '14:30:00.5Z'),
    ).replace(
      '<cac:AccountingSupplierParty>',
      `<cac:InvoicePeriod>${blank('cbc:StartDate', '2026-10-01')}${blank('cbc:StartTime', '08:00:00')}</cac:InvoicePeriod>
      <cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>1</cbc:ID>${blank('cbc:IssueDate', '2026-09-01')}</cac:InvoiceDocumentReference></cac:BillingReference>$&`,
    );
    assert.equal(factsOf(xml).issueDate, '2026-11-02+01:00');
    const { issueDate, period, references } = contentOf(Buffer.from(xml));
    assert.deepEqual([issueDate, period?.start, references[0]?.issueDate], ['2026-11-02', '2026-10-01', '2026-09-01']);
    for (const wrong of ['2026-02-30 ', ' 2026-11-02\u00a0', '2026-11- 02', ' ']) {
      refusalOf(
        replaceElement(sampleInvoice(), 'cbc:IssueDate', `<cbc:IssueDate>${wrong}</cbc:IssueDate>`),
        'ERR-2002',
      );
    }
  });

  test('the time of a signature may have white space around it too', () => {
    const signed = (time: string) =>
      sampleInvoice({
        extension: `<x:SigningTime xmlns:x="http://uri.etsi.org/01903/v1.3.2#">${time}</x:SigningTime>`,
      });
    assert.equal(outcomeOn(signed('\n2026-11-02T08:00:00Z ')), 'document');
    assert.equal(outcomeOn(signed(' 2026-11-02 ')), 'ERR-2002');
  });

  test('of an absurd length are cut', () => {
    const { recipient } = factsOf(sampleInvoice({ recipient: { name: '😀'.repeat(100_000) } }));
    assert.equal(recipient.name, '😀'.repeat(499));
  });

  test('but the number is never cut: of more than 499 characters it is refused', () => {
    const longest = 'n'.repeat(499);
    assert.equal(factsOf(sampleInvoice({ number: ` ${longest}\n` })).documentNumber, longest);
    assert.equal(factsOf(sampleInvoice({ number: '😀'.repeat(499) })).documentNumber, '😀'.repeat(499));
    for (const number of [`${longest}n`, '😀'.repeat(500), 'n'.repeat(1_000_000)]) {
      const detail = refusalOf(sampleInvoice({ number }), 'ERR-2002');
      assert.match(
        detail,
        new RegExp(`/Invoice/cbc:ID: .*${[...number].length} characters; expected at most 499`, 'u'),
      );
    }
  });

  for (const [written, amount] of [
    ['+5', '5'],
    [' 5.00\n', '5.00'],
    ['.5', '0.5'],
    ['-.50', '-0.50'],
    ['5.', '5'],
    ['007.10', '7.10'],
    ['-0.00', '0.00'],
    ['0', '0'],
    ['123456789012345678.123456789', '123456789012345678.123456789'],
  ]) {
    test(`the amount ${JSON.stringify(written)} is ${amount}`, () => {
      assert.equal(factsOf(sampleInvoice({ amount: written ?? '' })).amount, amount);
    });
  }

  test('the currency is that of the document, else that of the amount', () => {
    assert.equal(factsOf(sampleInvoice({ currency: 'EUR' })).currency, 'EUR');
    const mixed = sampleInvoice({ currency: 'EUR' }).replace(
      '<cbc:PayableAmount currencyID="EUR"',
      '<cbc:PayableAmount currencyID="USD"',
    );
    assert.equal(factsOf(mixed).currency, 'EUR');
    assert.equal(factsOf(without(mixed, 'cbc:DocumentCurrencyCode')).currency, 'USD');
  });
});

describe('the recipient', () => {
  const recipientOf = (recipient: Parameters<typeof sampleInvoice>[0]) => factsOf(sampleInvoice(recipient)).recipient;

  test('may be a natural person: a name without a tax number', () => {
    assert.deepEqual(recipientOf({ recipient: { taxNumber: null, name: 'Петко Петковски' } }), {
      name: 'Петко Петковски',
      taxNumber: null,
      country: 'MK',
    });
  });

  test('may be known by its person alone', () => {
    const person =
      '<cac:Person><cbc:FirstName>Ана</cbc:FirstName><cbc:FamilyName>Ристова</cbc:FamilyName></cac:Person>';
    const xml = sampleInvoice({ recipient: { name: null, taxNumber: null } });
    const at = xml.indexOf('</cac:Party>', xml.indexOf('<cac:AccountingCustomerParty>'));
    assert.equal(factsOf(xml.slice(0, at) + person + xml.slice(at)).recipient.name, 'Ана Ристова');
  });

  test('may be known by its tax number alone', () => {
    assert.equal(recipientOf({ recipient: { name: null } }).name, null);
  });

  for (const taxNumber of ['4080026000023', 'MK4080026000023', 'МК 4080026000023', 'mk 4080 0260 00023']) {
    test(`may write its EDB ${taxNumber}`, () => {
      assert.equal(outcomeOn(sampleInvoice({ recipient: { taxNumber, country: null } })), 'document');
    });
  }

  for (const taxNumber of ['408002600002', '40800260000234', 'BG4080026000023', '408002600002A', 'MK']) {
    test(`must not write its EDB ${taxNumber}`, () => {
      assert.equal(outcomeOn(sampleInvoice({ recipient: { taxNumber, country: 'mk' } })), 'ERR-2004');
    });
  }

  test('has its EDB, not a location number or a personal number before it, unless there is no other', () => {
    const location =
      '<cac:PartyIdentification><cbc:ID schemeID="0088">5310000000017</cbc:ID></cac:PartyIdentification>';
    const edb = '<cac:PartyIdentification><cbc:ID>4080026000023</cbc:ID></cac:PartyIdentification>';
    const numbered = (numbers: string) => {
      const xml = sampleInvoice({ recipient: { taxNumber: null } });
      const at = xml.indexOf('<cac:Party>', xml.indexOf('<cac:AccountingCustomerParty>')) + '<cac:Party>'.length;
      return factsOf(xml.slice(0, at) + numbers + xml.slice(at)).recipient.taxNumber;
    };
    assert.equal(numbered(location + edb), '4080026000023');
    assert.equal(numbered(location), '5310000000017');
    const person = edb.replace('4080026000023', '0101006450009');
    assert.equal(numbered(location + person + edb), '4080026000023');
    assert.equal(numbered(location + person), '0101006450009');
  });

  test('with its country in Cyrillic letters is of North Macedonia all the same', () => {
    const home = (taxNumber: string, country: string) => sampleInvoice({ recipient: { taxNumber, country } });
    for (const country of ['МК', 'мк', 'MК', 'МK']) {
      assert.equal(outcomeOn(home('12345', country)), 'ERR-2004', country);
      assert.equal(listedTaxNumber(factsOf(home('МК 4080026000023', country)).recipient), '4080026000023', country);
    }
    assert.equal(listedTaxNumber(factsOf(home('12345', 'ВА')).recipient), '12345');
  });

  test('abroad may have any tax number of up to 30 characters', () => {
    const abroad = (taxNumber: string) => sampleInvoice({ recipient: { taxNumber, country: 'de' } });
    assert.deepEqual(factsOf(abroad('DE 123/456')).recipient, {
      name: BETA.name,
      taxNumber: 'DE 123/456',
      country: 'DE',
    });
    assert.equal(outcomeOn(abroad('Ж'.repeat(30))), 'document');
    assert.equal(outcomeOn(abroad('Ж'.repeat(31))), 'ERR-2004');
  });

  test('has the first tax number of scheme, legal entity, identification and endpoint that is not blank', () => {
    const party = (...inner: string[]) =>
      `<cac:AccountingCustomerParty><cac:Party>${inner.join('')}</cac:Party></cac:AccountingCustomerParty>`;
    const endpoint = '<cbc:EndpointID>4000000000004</cbc:EndpointID>';
    const identification = '<cac:PartyIdentification><cbc:ID>4000000000003</cbc:ID></cac:PartyIdentification>';
    const scheme = (id: string) =>
      `<cac:PartyTaxScheme><cbc:CompanyID>${id}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`;
    const entity = (id: string) =>
      `<cac:PartyLegalEntity><cbc:RegistrationName>Бета</cbc:RegistrationName><cbc:CompanyID>${id}</cbc:CompanyID></cac:PartyLegalEntity>`;
    const taxNumber = (...inner: string[]) =>
      factsOf(replaceElement(sampleInvoice(), 'cac:AccountingCustomerParty', party(...inner))).recipient.taxNumber;
    assert.equal(
      taxNumber(endpoint, identification, scheme('4000000000001'), entity('4000000000002')),
      '4000000000001',
    );
    assert.equal(
      taxNumber(endpoint, identification, scheme(' '), scheme('4000000000009'), entity('4000000000002')),
      '4000000000009',
    );
    assert.equal(taxNumber(endpoint, identification, scheme(''), entity('4000000000002')), '4000000000002');
    assert.equal(taxNumber(endpoint, identification, entity('')), '4000000000003');
    assert.equal(taxNumber(endpoint), '4000000000004');
  });
});

describe('recognising', () => {
  const recognise = (xml: string) => recogniseDocument(Buffer.from(xml));

  test('reads what a document lacking almost everything has', () => {
    const bare = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="${CBC}"><cbc:ID>1</cbc:ID></Invoice>`;
    const nobody = { name: null, taxNumber: null, country: null };
    assert.deepEqual(recognise(bare), {
      kind: 'Invoice',
      documentNumber: '1',
      typeCode: null,
      amount: null,
      currency: null,
      issueDate: null,
      supplier: nobody,
      recipient: nobody,
    });
  });

  test('does not judge', () => {
    assert.equal(recognise(sampleInvoice({ versionId: '2.4', amount: 'many' }))?.amount, null);
  });

  for (const other of [
    '',
    'no',
    '{}',
    '<a/>',
    '<!DOCTYPE Invoice>',
    sampleInvoice().slice(0, -5),
    sampleInvoice().repeat(2),
  ]) {
    test(`says nothing of ${JSON.stringify(other.slice(0, 20))}`, () => {
      assert.equal(recognise(other), null);
    });
  }
});
