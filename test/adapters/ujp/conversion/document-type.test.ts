import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { neededLookups } from '../../../../src/adapters/ujp/conversion/needed-lookups.ts';
import type { InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import { LISTS } from './authority-lists.ts';
import { converted, creditNote, documentOf, failureOf, invoice, party, reference, texts } from './sample-content.ts';

const PERSON = party({ name: 'Марија Петрова' });
const FOREIGNER = party({ name: 'Hans Müller', country: 'DE' });

function typed(value: string | null, more: Partial<InvoiceContent> = {}): InvoiceContent {
  return invoice({ typeCode: { value, name: null }, ...more });
}

describe('the type of the document', () => {
  const rows: readonly (readonly [string, InvoiceContent, string, string])[] = [
    ['an invoice', typed('380'), '100', 'Фактура'],
    ...['82', '326', '393', '395', '780'].map((code) => [`type ${code}`, typed(code), '100', 'Фактура'] as const),
    ...['80', '84'].map((code) => [`type ${code}`, typed(code), '120', 'Книжно задолжение'] as const),
    ...['81', '83', '396'].map((value) => {
      const content = creditNote({ typeCode: { value, name: null } });
      return [`credit note ${value}`, content, '110', 'Книжно одобрение'] as const;
    }),
    ['a partial invoice to a natural person', typed('326', { customer: PERSON }), '170', 'Фактура кон физичко лице'],
    ['a debit note', typed('383'), '120', 'Книжно задолжение'],
    ['a prepayment invoice', typed('386'), '130', 'Авансна фактура'],
    ['a credit note', creditNote(), '110', 'Книжно одобрение'],
    ['an invoice to a natural person', typed('380', { customer: PERSON }), '170', 'Фактура кон физичко лице'],
    ['a debit note to a natural person', typed('383', { customer: PERSON }), '120', 'Книжно задолжение'],
    ['a credit note to a natural person', creditNote({ customer: PERSON }), '110', 'Книжно одобрение'],
    ['an invoice abroad without a tax number', typed('380', { customer: FOREIGNER }), '100', 'Фактура'],
  ];
  for (const [what, content, code, name] of rows) {
    test(`of ${what} is ${code}`, () => {
      const { docTypeCode, payload } = converted(content);
      assert.equal(docTypeCode, code);
      assert.equal(payload.document.header.docType, code);
      assert.equal(payload.document.header.docTypeName, name);
      assert.equal(payload.document.header.docStorno, 0);
      assert.equal('correctionReason' in payload, false);
      assert.equal(neededLookups(content).documentType, code);
    });
  }

  test('has the name in force on the date of the document', () => {
    assert.equal(documentOf(invoice({ issueDate: '2025-12-01' })).header.docTypeName, 'Општа Фактура');
  });
});

test('a date on which no type at all is in force is itself what is wrong', () => {
  const documentTypes = LISTS.documentTypes.map((type) => ({ ...type, validFrom: '2025-01-01' }));
  for (const issueDate of ['2024-02-29', '0001-01-01']) {
    const message = failureOf(invoice({ issueDate }), 'NOT-EXPRESSIBLE', { lists: { ...LISTS, documentTypes } });
    assert.match(message, new RegExp(`dated ${issueDate}.*correct the date \\(/Invoice/cbc:IssueDate\\)`, 'u'));
  }
});

describe('the type can be stated explicitly', () => {
  const ways: readonly (readonly [string, Partial<InvoiceContent>])[] = [
    ['as name of the type code', { typeCode: { value: '380', name: '160' } }],
    ['as name with its scheme', { typeCode: { value: '380', name: 'UJP:docType:160' } }],
    ['as profile with its scheme', { profile: { value: '160', scheme: 'UJP:docType' } }],
    ['as profile text', { profile: { value: 'UJP:docType:160', scheme: null } }],
    [
      'as additional reference',
      { references: [reference('additional', '', { id: { value: '160', scheme: 'UJP:docType' } })] },
    ],
  ];
  for (const [way, content] of ways) {
    test(way, () => {
      const { docTypeCode, payload, warnings } = converted(invoice(content));
      assert.equal(docTypeCode, '160');
      assert.deepEqual(payload.document.docReferences, []);
      assert.deepEqual(warnings, []);
      assert.equal(neededLookups(invoice(content)).documentType, '160');
    });
  }

  test('and takes precedence over the type for natural persons', () => {
    assert.equal(
      converted(typed('380', { customer: PERSON, profile: { value: '150', scheme: 'UJP:docType' } })).docTypeCode,
      '150',
    );
  });

  for (const value of ['325', '389', '999', null]) {
    test(`also with the type code ${value}, which has no counterpart`, () => {
      const { docTypeCode, payload } = converted(typed(value, { profile: { value: '160', scheme: 'UJP:docType' } }));
      assert.deepEqual([docTypeCode, payload.document.header.docStorno], ['160', 0]);
    });
  }

  test('but ordinary names and profiles are ignored', () => {
    const content = {
      typeCode: { value: '380', name: 'Commercial invoice' },
      profile: { value: 'urn:x', scheme: null },
    };
    assert.equal(converted(invoice(content)).docTypeCode, '100');
  });

  for (const code of ['998', '777']) {
    test(`but not as ${code}, which is not in force`, () => {
      const message = failureOf(invoice({ profile: { value: code, scheme: 'UJP:docType' } }));
      assert.match(message, new RegExp(`${code}.*2026-11-02.*/Invoice/cbc:ProfileID`, 'u'));
    });
  }
});

describe('an unsupported type code makes the conversion fail:', () => {
  const rows: readonly (readonly [InvoiceContent, RegExp])[] = [
    [typed('325'), /proforma.*InvoiceTypeCode/u],
    [typed('389'), /self-billed/u],
    [creditNote({ typeCode: { value: '261', name: null } }), /self-billed.*CreditNoteTypeCode/u],
    [typed('999'), /“999”.*380, 82, 326, 393, 395, 780, 383, 80, 84, 384, 386, or UJP:docType/u],
    [typed('381'), /381 is a credit note.* as a UBL CreditNote.* or state one of 380, 82, .*InvoiceTypeCode/u],
    [creditNote({ typeCode: { value: '380', name: null } }), /380 is no credit note.* UBL Invoice.* one of 381/u],
    [typed('toString'), /“toString”/u],
    [typed(null), /type code is missing; expected .*InvoiceTypeCode/u],
  ];
  for (const [content, message] of rows) {
    test(`${content.kind} ${content.typeCode.value}`, () => {
      assert.match(failureOf(content), message);
      assert.equal(neededLookups(content).documentType, null);
    });
  }
});

test('of directives that contradict each other one counts, which a warning says', () => {
  const stated = (value: string) => reference('additional', '', { id: { value, scheme: 'UJP:docType' } });
  const twice = (...values: readonly string[]) => converted(typed('380', { references: values.map(stated) }));
  assert.deepEqual(twice('160', '160').warnings, []);
  const { docTypeCode, warnings } = twice('160', '150');
  assert.equal(docTypeCode, '160');
  assert.match(texts(warnings).join(), /“UJP:docType:150” does not count/u);
  const paid = converted(typed('380', { notes: ['UJP:paymentType:P13', 'UJP:paymentType:P15'] }));
  assert.match(texts(paid.warnings).join(), /“UJP:paymentType:P15” does not count/u);
});

describe('a correction', () => {
  const EUID = '019b8d43-7840-7433-b358-08891b53605c';
  const original = reference('billing', '2026-6900', { uuid: EUID });
  const reason = reference('additional', '', {
    id: { value: 'C01', scheme: 'UJP:correctionReason' },
    description: 'Погрешна цена на ставка 2',
  });

  test('has the type of the invoice, a reason and a reference to the document it corrects', () => {
    const content = typed('384', { references: [original, reason] });
    const { payload, docTypeCode } = converted(content);
    assert.equal(docTypeCode, '100');
    assert.equal(payload.document.header.docStorno, 2);
    assert.deepEqual(payload.document.docReferences, [
      { docTypeRef: 'ST', docNameRef: 'Сторно/Корекција', docDateRef: '2026-10-01', docNumberRef: EUID },
    ]);
    assert.deepEqual(payload.correctionReason, {
      correctionReasonCode: 'C01',
      correctionReason: 'Грешка во цена',
      correctionReasonComment: 'Погрешна цена на ставка 2',
    });
  });

  test('may state its reason in a note, which is then not sent as a note', () => {
    const content = typed('384', {
      references: [original],
      notes: ['Поздрав', 'UJP:correctionReason:C01 погрешна цена'],
    });
    const { payload } = converted(content);
    assert.deepEqual(payload.correctionReason?.correctionReasonComment, 'погрешна цена');
    assert.equal(payload.document.header.docNotes, 'Поздрав');
  });

  test('is not made by its reason alone, which a warning says: the document is registered beside the one it was to replace', () => {
    for (const more of [{ references: [reason] }, { notes: ['UJP:correctionReason:C01 погрешна цена'] }]) {
      const { payload, warnings } = converted(typed('380', more));
      assert.equal(payload.document.header.docStorno, 0);
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['DIRECTIVE-UNKNOWN'],
      );
      assert.match(texts(warnings).join(), /“UJP:correctionReason:C01” .*only of a correction \(384\)/u);
    }
  });

  test('to a natural person has the type for natural persons', () => {
    const content = typed('384', { references: [original, reason], customer: PERSON });
    assert.equal(converted(content).docTypeCode, '170');
  });

  test('refers to a document that was looked up by its number', () => {
    const byNumber = typed('384', { references: [reference('billing', '2026-6900'), reason] });
    const references = [{ number: '2026-6900', date: '2026-10-01', euid: EUID, issueDate: '2026-10-01' }];
    assert.equal(documentOf(byNumber, { references }).docReferences[0]?.docNumberRef, EUID);
    assert.deepEqual(neededLookups(byNumber).references, [{ number: '2026-6900', date: '2026-10-01' }]);
  });

  test('is looked up by its number where the UUID of the reference is none of the authority (version 7)', () => {
    const uuid = '7f3c1f0e-5f0a-4c55-9a0e-2f6c1d9b7a11';
    const content = typed('384', { references: [reference('billing', '2026-6900', { uuid }), reason] });
    assert.deepEqual(neededLookups(content).references, [{ number: '2026-6900', date: '2026-10-01' }]);
    const references = [{ number: '2026-6900', date: '2026-10-01', euid: EUID, issueDate: '2026-10-01' }];
    assert.equal(documentOf(content, { references }).docReferences[0]?.docNumberRef, EUID);
    assert.match(failureOf(content), /“2026-6900” is not known/u);
  });

  const refused: readonly (readonly [string, Partial<InvoiceContent>, RegExp])[] = [
    ['without a reference', { references: [reason] }, /0 are named.*BillingReference/u],
    ['of two documents', { references: [original, reference('billing', 'X'), reason] }, /2 are named/u],
    [
      'of a document that is not registered',
      { references: [reference('billing', '2026-6900'), reason] },
      /“2026-6900” is not known/u,
    ],
    ['of a later document', { references: [{ ...original, issueDate: '2026-12-01' }, reason] }, /2026-12-01, after/u],
    ['without a reason', { references: [original] }, /reason for the correction is missing/u],
    [
      'for a reason not in force',
      { references: [original, { ...reason, id: { value: 'C98', scheme: 'UJP:correctionReason' } }] },
      /“C98”/u,
    ],
  ];
  for (const [what, content, message] of refused) {
    test(`${what} makes the conversion fail`, () => assert.match(failureOf(typed('384', content)), message));
  }
});
