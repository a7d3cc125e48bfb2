import { FAILURE_CATALOGUE } from '../../../application/errors/failure-catalogue.ts';
import { ERROR_CODES } from '../../../application/errors/problem-catalogue.ts';
import { LOOK_UPS_UNFINISHED, OUTCOMES, SEVERITIES } from '../../../application/validation/validation.ts';
import { WARNING_CATALOGUE } from '../../../domain/documents/conversion-warning.ts';
import { Type } from '../../json-schema.ts';
import { flag, IN_WHICH_LANGUAGE, integer, nullable, open, text } from '../member-schemas.ts';

/** The answer of a dry run. */

const number = (description: string) => Type.Number({ format: 'double', description });
const day = (description: string) => text(description, { format: 'date' });

const coded = (what: string) =>
  Type.Object({ code: text(`The authority's code of the ${what}.`), name: text(`The name of that ${what}.`) });

const party = (role: string) =>
  Type.Object(
    {
      name: text('As it would be registered: from the register of taxpayers where that has the party.'),
      taxNumber: nullable(text('Its tax number; null for a natural person.')),
      vatNumber: nullable(text('Its VAT number; null where it is not registered for VAT.')),
      country: text('Its country, as in ISO 3166-1.'),
      address: text('Its address, in one line.'),
    },
    { description: `The ${role}.` },
  );

const line = Type.Object({
  number: integer('Counted from one.'),
  description: text('What was supplied.'),
  quantity: number('How much of it.'),
  unit: text('The unit of the quantity.'),
  unitPrice: number('The price of one unit, without VAT and after discounts.'),
  net: number('The total without VAT.'),
  vatIndicator: text("The authority's VAT indicator."),
  vatRate: number('In percent.'),
  vat: number('The VAT.'),
  gross: number('The total with VAT.'),
});

const vatRow = Type.Object({
  indicator: text("The authority's VAT indicator."),
  note: text('The legal basis that the authority prescribes for it; empty for ordinary taxation.'),
  rate: number('In percent.'),
  taxable: number('The sum without VAT.'),
  vat: number('The VAT.'),
  gross: number('The sum with VAT.'),
});

const totals = Type.Object(
  {
    net: number('The sum of the lines without VAT, before discounts.'),
    discount: number('The discounts.'),
    netAfterDiscount: number('The sum without VAT.'),
    vat: number('The VAT.'),
    gross: number('The sum with VAT.'),
    grossRounded: number('The same, rounded as the authority rounds it.'),
    prepaid: number('What was paid in advance.'),
    payable: number('What remains to be paid.'),
  },
  { description: 'The totals.' },
);

const preview = Type.Unsafe({
  ...Type.Object({
    type: Type.Unsafe({ ...coded('document type'), description: 'The document type.' }),
    isCorrection: flag('Whether it corrects an earlier document.'),
    number: text('The number of the document.'),
    date: day('The date of the document.'),
    supplyDate: day('The date of the supply.'),
    deliveryDate: nullable(day('The date of the delivery.')),
    seller: party('seller'),
    buyer: party('buyer'),
    payment: Type.Object(
      {
        type: Type.Unsafe({ ...coded('payment type'), description: 'The payment type.' }),
        dueDate: nullable(day('When it is due.')),
        currency: text('The currency, as in ISO 4217.'),
        exchangeRate: number('Denars for one unit of the currency.'),
      },
      { description: 'How it is paid.' },
    ),
    references: Type.Array(
      Type.Object({
        type: text("The authority's type of the reference."),
        number: text('The number of the other document, or its EUID.'),
        date: day('The date of the other document.'),
      }),
      { description: 'The documents that it refers to.' },
    ),
    lineCount: integer('How many lines there are.'),
    lines: Type.Array(line, { description: 'The lines; of very many the first ones.' }),
    vat: Type.Array(vatRow, { description: 'The VAT by indicator and rate.' }),
    totals,
  }),
  type: ['object', 'null'],
  description: 'What would be registered; null unless the outcome is accepted.',
});

const finding = Type.Object({
  severity: text(
    'error: a submission would be refused. failure: the document would be accepted and then fail (status 55). unknown: the authority could not be asked. warning: it would be sent all the same. Further values may be added.',
    open(SEVERITIES),
  ),
  code: text(
    'A code of the catalogue of errors (error), a failureCode (failure, unknown), LOOK-UPS-UNFINISHED (unknown) where other requests to the authority were first for too long or its answers took too long together, or the code of a warning. Further values may be added.',
    open([
      ...ERROR_CODES,
      ...Object.keys(FAILURE_CATALOGUE).filter((code) => !code.includes('<')),
      LOOK_UPS_UNFINISHED,
      ...Object.keys(WARNING_CATALOGUE),
    ]),
  ),
  httpStatus: nullable(integer('With error: the HTTP status that a submission would be answered with.')),
  path: nullable(text('The element of the document.')),
  line: nullable(integer('The line of that element, or of the nearest one around it, in the document as it was sent.')),
  message: text(`The same in words, ${IN_WHICH_LANGUAGE}.`),
});

export const validation = Type.Object(
  {
    outcome: text(
      'accepted: a submission would be accepted and the document sent to the authority, which then decides. refused: the submission would be refused with the first error. would-fail: the document would be accepted and end in status 55 with the code of the first failure. unknown: it would be accepted, but what becomes of it depends on answers of the authority that could not be had. Further values may be added.',
      open(OUTCOMES),
    ),
    findings: Type.Array(finding, {
      description: 'Everything that was found, in the order in which it would be noticed; bounded in number.',
    }),
    preview,
  },
  { $id: 'Validation', description: 'What would become of a document. Nothing was stored.' },
);
