import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { neededLookups } from '../../../../src/adapters/ujp/conversion/needed-lookups.ts';
import type { DocumentReference, InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import { render } from '../../../../src/domain/messages/render.ts';
import { documentTypeEntry, entry, LISTS } from './authority-lists.ts';
import {
  address,
  converted,
  creditNote,
  delivery,
  documentOf,
  failureOf,
  invoice,
  party,
  reference,
  texts,
} from './sample-content.ts';

/** An interim bill, which takes references of every kind. */
const INTERIM_BILL = { profile: { value: '150', scheme: 'UJP:docType' } };

const EUID = '019b8d43-7840-7433-b358-08891b53605c';
/** Of version 4, which no EUID is. */
const OWN_UUID = '7f3c1f0e-5f0a-4c55-9a0e-2f6c1d9b7a11';

describe('the header', () => {
  test('has every member, with null for absent values', () => {
    assert.deepEqual(documentOf(invoice()).header, {
      docStorno: 0,
      docType: '100',
      docTypeName: 'Фактура',
      docDate: '2026-11-02',
      docTurnoverDate: '2026-11-02',
      docNumber: '2026-7001',
      docId: 'A1B2C3D4E5',
      docDeliveryDate: null,
      docDelivery: null,
      docPeriodStartDate: null,
      docPeriodEndDate: null,
      docNotes: null,
      docHeader: null,
      docFooter: null,
      docIndicator: null,
    });
  });

  test('has period and notes unchanged', () => {
    const period = { path: '/Invoice/cac:InvoicePeriod', start: '2026-10-01', end: '2026-10-31' };
    const { header } = documentOf(invoice({ period, notes: ['Прва', 'Втора'] }));
    assert.deepEqual([header.docPeriodStartDate, header.docPeriodEndDate], ['2026-10-01', '2026-10-31']);
    assert.equal(header.docNotes, 'Прва\nВтора');
  });

  test('has the tax point as turnover date, else the delivery date', () => {
    const delivered = delivery({ actualDate: '2026-10-30' });
    const { header } = documentOf(invoice({ taxPointDate: '2026-10-29', delivery: delivered }));
    assert.deepEqual([header.docTurnoverDate, header.docDeliveryDate], ['2026-10-29', '2026-10-30']);
    assert.equal(documentOf(invoice({ delivery: delivered })).header.docTurnoverDate, '2026-10-30');
  });

  test('leaves out a delivery date after the document date, with a warning', () => {
    const later = delivery({ actualDate: '2026-11-20' });
    const { payload, warnings } = converted(invoice({ taxPointDate: '2026-11-02', delivery: later }));
    assert.equal(payload.document.header.docDeliveryDate, null);
    assert.match(texts(warnings).join(), /2026-11-20.*ActualDeliveryDate/u);
  });

  test('has the delivery location, else the delivery terms', () => {
    const place = delivery({
      locationName: 'Магацин 3',
      address: address({ street: 'Индустриска', buildingNumber: '1' }),
    });
    assert.equal(documentOf(invoice({ delivery: place })).header.docDelivery, 'Магацин 3, Индустриска 1, 6000 Охрид');
    const terms = 'EXW Скопје';
    assert.equal(documentOf(invoice({ delivery: delivery({}), deliveryTerms: terms })).header.docDelivery, terms);
    assert.equal(documentOf(invoice({ deliveryTerms: terms })).header.docDelivery, terms);
  });

  test('has long texts shortened, and no period that ends before it begins, with a warning for each', () => {
    const period = { path: '/Invoice/cac:InvoicePeriod', start: '2026-10-31', end: '2026-10-01' };
    const place = delivery({ locationName: 'М'.repeat(251) });
    const notes = ['н'.repeat(999), 'втора'];
    const { payload, warnings } = converted(invoice({ period, notes, delivery: place, deliveryTerms: 'EXW' }));
    const { docNotes, docDelivery, docPeriodStartDate, docPeriodEndDate } = payload.document.header;
    assert.deepEqual([docNotes, docDelivery], ['н'.repeat(999), 'М'.repeat(250)]);
    assert.deepEqual([docPeriodStartDate, docPeriodEndDate], [null, null]);
    assert.deepEqual(warnings.map(({ code }) => code).toSorted(), [
      ...['DELIVERY-TERMS-LEFT-OUT', 'PERIOD-LEFT-OUT', 'TEXT-SHORTENED', 'TEXT-SHORTENED', 'TEXT-SHORTENED'],
    ]);
  });

  test('accepts a number of twenty characters', () => {
    assert.equal(documentOf(invoice({ number: 'Ф'.repeat(20) })).header.docNumber, 'Ф'.repeat(20));
  });

  const refused: readonly (readonly [string, Partial<InvoiceContent>, RegExp])[] = [
    [
      'a longer number',
      { number: '1'.repeat(21) },
      /has 21 characters, and the authority allows 20; shorten it \(\/Invoice\/cbc:ID\)/u,
    ],
    ['no number', { number: null }, /number of the document is missing/u],
    ['no date', { issueDate: null }, /date of the document is missing.*IssueDate/u],
    ['a tax point after the document', { taxPointDate: '2026-11-03' }, /2026-11-03, after.*TaxPointDate/u],
    [
      'a delivery after the document and no other date of supply',
      { delivery: delivery({ actualDate: '2026-11-03' }) },
      /delivery is dated 2026-11-03, after .* 2026-11-02, .*state it in cbc:TaxPointDate.*ActualDeliveryDate/u,
    ],
    [
      'a value that cannot be read',
      { unreadable: [{ path: '/Invoice/cbc:IssueDate', text: '10000-01-01', mostDigits: null }] },
      /“10000-01-01”/u,
    ],
  ];
  for (const [what, content, message] of refused) {
    test(`with ${what} makes the conversion fail`, () => assert.match(failureOf(invoice(content)), message));
  }
});

describe('a reference', () => {
  const rows: readonly (readonly [string, DocumentReference, string, string])[] = [
    ['an order', reference('order', 'N-1'), 'NAR', 'Нарачка'],
    ['a contract', reference('contract', 'D-1'), 'DOG', 'Договор'],
    ['a tender', reference('originator', 'JN-1'), 'JN', 'Документ за јавна набавка'],
    ['a despatch advice', reference('despatch', 'I-1'), 'DOC', 'Други документи'],
    ['a receipt advice', reference('receipt', 'P-1'), 'DOC', 'Други документи'],
    ['a statement', reference('statement', 'S-1'), 'DOC', 'Други документи'],
    ['an offer', reference('additional', 'O-1', { typeCode: '310' }), 'DOC', 'Други документи'],
    ['a proforma', reference('additional', 'PF-1', { typeCode: '325' }), 'PRO', 'Профактура'],
    ['an import declaration', reference('additional', 'C-1', { typeCode: '929' }), 'C_D', 'Царинска декларација'],
    ['an export declaration', reference('additional', 'C-2', { typeCode: '830' }), 'C_D', 'Царинска декларација'],
    ['a contract by type code', reference('additional', 'D-2', { typeCode: '315' }), 'DOG', 'Договор'],
    ['any other document', reference('additional', 'X-1', { typeCode: '916' }), 'DOC', 'Други документи'],
    ['a registered invoice', reference('billing', 'F-1', { uuid: EUID.toUpperCase() }), 'SYS', 'Од систем'],
    ['an invoice that is not registered', reference('billing', 'F-0'), 'DOC', 'Други документи'],
    ['an invoice with another identifier', reference('billing', 'F-0', { uuid: 'abc' }), 'DOC', 'Други документи'],
    ["an invoice with an issuer's UUID", reference('billing', 'F-0', { uuid: OWN_UUID }), 'DOC', 'Други документи'],
  ];
  for (const [what, stated, code, name] of rows) {
    test(`to ${what} has type ${code}`, () => {
      const { payload, warnings } = converted(invoice({ ...INTERIM_BILL, references: [stated] }));
      const number = code === 'SYS' ? EUID : stated.id.value;
      assert.deepEqual(payload.document.docReferences, [
        { docTypeRef: code, docNameRef: name, docDateRef: '2026-10-01', docNumberRef: number },
      ]);
      const isUnregistered = stated.source === 'billing' && code !== 'SYS';
      assert.deepEqual(
        warnings.map((one) => one.code),
        isUnregistered ? ['REFERENCE-NOT-REGISTERED'] : [],
      );
    });
  }

  test('has the transport or offer type if the authority has one', () => {
    const referenceTypes = [entry('TRN', 'Транспортни документи'), entry('PON', 'Понуда'), ...LISTS.referenceTypes];
    const lists = { ...LISTS, referenceTypes };
    const references = [reference('despatch', 'I-1'), reference('additional', 'O-1', { typeCode: '310' })];
    const codes = documentOf(invoice({ ...INTERIM_BILL, references }), { lists }).docReferences.map(
      ({ docTypeRef }) => docTypeRef,
    );
    assert.deepEqual(codes, ['TRN', 'PON']);
  });

  test('to an earlier document is resolved by number and date', () => {
    const resolved = [{ number: 'F-1', date: null, euid: EUID, issueDate: '2026-09-30' }];
    const content = creditNote({ references: [reference('billing', 'F-1', { issueDate: null })] });
    assert.deepEqual(neededLookups(content).references, [{ number: 'F-1', date: null }]);
    assert.deepEqual(documentOf(content, { references: resolved }).docReferences, [
      { docTypeRef: 'SYS', docNameRef: 'Од систем', docDateRef: '2026-09-30', docNumberRef: EUID },
    ]);
  });

  test('that states EUID and date needs no look-up', () => {
    assert.deepEqual(
      neededLookups(invoice({ references: [reference('billing', 'F-1', { uuid: EUID })] })).references,
      [],
    );
  });

  const dropped: readonly (readonly [string, DocumentReference, RegExp])[] = [
    ['without a date', reference('order', 'N-1', { issueDate: null }), /it has no date.*reference-order/u],
    ['with a later date', reference('order', 'N-1', { issueDate: '2026-11-03' }), /2026-11-03, after/u],
    ['with a number of 51 characters', reference('order', '1'.repeat(51)), /its number has 51 characters/u],
    ['without a number', reference('order', '', { id: { value: null, scheme: null } }), /no number/u],
  ];
  for (const [what, stated, warning] of dropped) {
    test(`${what} is left out with a warning`, () => {
      const { payload, warnings } = converted(invoice({ references: [stated] }));
      assert.deepEqual(payload.document.docReferences, []);
      assert.match(texts(warnings).join(), warning);
    });
  }

  test('that is an attachment is left out without a warning', () => {
    const attachment = reference('additional', 'PDF', { issueDate: null, hasAttachment: true });
    assert.deepEqual(converted(invoice({ references: [attachment] })).warnings, []);
  });

  test('to an order, a contract or a tender stays on a type that is served with hasReference false', () => {
    const references = [reference('order', 'N-1'), reference('contract', 'D-1'), reference('originator', 'JN-1')];
    for (const customer of [invoice().customer, party({ name: 'Марија Петрова' })]) {
      const { payload, warnings } = converted(invoice({ references, customer }));
      const codes = payload.document.docReferences.map(({ docTypeRef }) => docTypeRef);
      assert.deepEqual(codes, ['NAR', 'DOG', 'JN']);
      assert.ok(!warnings.some(({ code }) => code === 'REFERENCE-LEFT-OUT'));
    }
  });

  test('of another kind is left out of such a type, with a warning', () => {
    const references = [reference('billing', 'F-1', { uuid: EUID }), reference('order', 'N-1')];
    const { payload, warnings } = converted(invoice({ references }));
    assert.deepEqual(
      payload.document.docReferences.map(({ docTypeRef }) => docTypeRef),
      ['NAR'],
    );
    assert.match(texts(warnings).join(), /type 100 takes no reference of this kind.*reference-billing/u);
  });

  test('is left out with a warning for each if the authority refused references on that document type', () => {
    const references = [reference('order', 'N-1'), reference('contract', 'D-1')];
    const refused = converted(invoice({ references }), { refusesReferences: new Set(['100']) });
    assert.deepEqual(refused.payload.document.docReferences, []);
    assert.deepEqual(
      refused.warnings.map(({ code, path }) => [code, path]),
      [
        ['REFERENCE-LEFT-OUT', '/Invoice/reference-order'],
        ['REFERENCE-LEFT-OUT', '/Invoice/reference-contract'],
      ],
    );
    assert.match(texts(refused.warnings).join(), /the authority refused references on documents of type 100/u);
    assert.equal(documentOf(invoice({ references }), { refusesReferences: new Set(['110']) }).docReferences.length, 2);
  });

  test('is left out with a warning if the authority refused this document because of it', () => {
    const own = documentOf(invoice()).header.docDate;
    const references = [
      reference('order', 'N-1', { issueDate: own }),
      reference('contract', 'D-1', { issueDate: '2026-01-02' }),
    ];
    const kinds = (leftOutReferences: 'same-day' | 'all' | null) =>
      converted(invoice({ references }), { leftOutReferences }).payload.document.docReferences.map(
        ({ docTypeRef }) => docTypeRef,
      );
    assert.deepEqual([kinds(null), kinds('same-day'), kinds('all')], [['NAR', 'DOG'], ['DOG'], []]);
    const { warnings } = converted(invoice({ references }), { leftOutReferences: 'same-day' });
    assert.match(texts(warnings).join(), /refused the document with a reference of the document's own day \(2026-/u);
    const inMacedonian = (leftOutReferences: 'same-day' | 'all') =>
      converted(invoice({ references }), { leftOutReferences }).warnings.map(({ sentence }) =>
        render('mk', sentence === undefined ? [] : [sentence]),
      );
    const sameDay = `УЈП го одби документот со упатување од истиот датум како документот (${own})`;
    assert.ok(inMacedonian('same-day').some((text) => text.startsWith(`Упатувањето е изоставено: ${sameDay}`)));
    const all = 'Упатувањето е изоставено: УЈП го одби документот поради неговите упатувања';
    assert.equal(inMacedonian('all').filter((text) => text.startsWith(all)).length, 2);
  });

  test('is left out if the authority has no reference type for it', () => {
    const references = [reference('order', 'N-1')];
    const unknown = converted(invoice({ references }), { lists: { ...LISTS, referenceTypes: [] } });
    assert.match(texts(unknown.warnings).join(), /no reference type/u);
    assert.deepEqual(unknown.payload.document.docReferences, []);
  });

  test('that occurs twice is converted once', () => {
    const references = [reference('order', 'N-1'), reference('order', 'N-1'), reference('order', 'N-2')];
    assert.deepEqual(
      documentOf(invoice({ references })).docReferences.map(({ docNumberRef }) => docNumberRef),
      ['N-1', 'N-2'],
    );
  });

  test('with the number of another and a different date is left out with a warning', () => {
    const references = [
      reference('order', 'N-1', { issueDate: '2025-10-01' }),
      reference('order', 'N-1', { issueDate: '2026-10-01', path: '/Invoice/second' }),
      reference('contract', 'N-1', { issueDate: '2026-10-02' }),
    ];
    const { payload, warnings } = converted(invoice({ references }));
    assert.deepEqual(
      payload.document.docReferences.map(({ docTypeRef, docDateRef }) => [docTypeRef, docDateRef]),
      [
        ['NAR', '2025-10-01'],
        ['DOG', '2026-10-02'],
      ],
    );
    assert.deepEqual(
      warnings.map(({ code, path }) => [code, path]),
      [['REFERENCE-LEFT-OUT', '/Invoice/second']],
    );
    assert.match(texts(warnings).join(), /same number with the date 2025-10-01/u);
  });

  test('is mandatory for a document type that requires one', () => {
    const documentTypes = [
      documentTypeEntry('110', 'Книжно одобрение', { hasReference: true, isReferenceMandatory: true }),
    ];
    const lists = { ...LISTS, documentTypes };
    assert.match(failureOf(creditNote(), 'NOT-EXPRESSIBLE', { lists }), /type 110 must refer to another document/u);
    assert.equal(
      documentOf(creditNote({ references: [reference('billing', 'F-1')] }), { lists }).docReferences.length,
      1,
    );
  });
});
