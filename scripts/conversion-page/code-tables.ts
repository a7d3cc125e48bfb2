import { TYPES } from '../../src/adapters/ujp/conversion/document-type.ts';
import { UNIT_LABELS } from '../../src/adapters/ujp/conversion/lines/line-text.ts';
import { OTHER_PAYMENT_TYPE, PAYMENT_TYPES } from '../../src/adapters/ujp/conversion/payment-type.ts';
import {
  AUTHORITY_TYPES,
  KIND_BY_SOURCE,
  KIND_BY_TYPE_CODE,
  type ReferenceKind,
} from '../../src/adapters/ujp/conversion/references/reference-kinds.ts';
import { CHOSEN_LENGTH, CODEBOOK_LENGTH } from '../../src/adapters/ujp/conversion/text-limits.ts';
import {
  EXEMPT_WITHOUT_CREDIT,
  EXEMPTION_INDICATORS,
} from '../../src/adapters/ujp/conversion/vat/exemption-reasons.ts';
import { DEFAULT_INDICATORS } from '../../src/adapters/ujp/conversion/vat/vat-indicator.ts';
import type { ReferenceSource } from '../../src/domain/documents/invoice-content.ts';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  '100': '100 invoice; 170 if the buyer is a natural person',
  '110': '110 credit note, with positive amounts',
  '120': '120 debit note',
  '130': '130 advance invoice',
};
const CORRECTION = '100, as a correction of the document that `BillingReference` names';

export function typeTable(): string {
  const rows = Object.entries(TYPES).flatMap(([kind, types]) =>
    [...Map.groupBy(types, ([, { code, storno }]) => (storno === 2 ? CORRECTION : (TYPE_NAMES[code] ?? code)))].map(
      ([type, codes]) => [`${kind} ${listed(codes.map(([code]) => code))}`, type],
    ),
  );
  return table(['UBL', "The authority's type"], [...rows, ['anything else', '55, unless a directive states the type']]);
}

const PAYMENT_NAMES: Readonly<Record<string, string>> = {
  P10: 'cash',
  P11: 'card',
  P12: 'bank transfer',
  P14: 'online banking',
  P17: 'offset',
};

export function paymentTable(): string {
  const byType = [...Map.groupBy(PAYMENT_TYPES, ([, type]) => type)];
  const rows = byType.map(([type, codes]) => [
    listed(codes.map(([code]) => code)),
    `${type} ${PAYMENT_NAMES[type] ?? ''}`.trim(),
  ]);
  const own = ["the authority's own code, as the code or as its `@name`", 'the one stated'];
  const other = ['any other', `${OTHER_PAYMENT_TYPE} other instruments, with \`PAYMENT-TYPE-ASSUMED\``];
  return table(['`PaymentMeansCode`', 'Payment type'], [...rows, own, other]);
}

export function indicatorTable(): string {
  const rows = DEFAULT_INDICATORS.map(({ category, percent, indicator, onlyUnregisteredSeller }) => [
    `${category}${percent === null ? '' : ` ${percent} %`}`,
    `\`${indicator}\`${onlyUnregisteredSeller ? ', if the seller is not registered for VAT' : ''}`,
  ]);
  return table(
    ['VAT category', "Indicator, unless `TaxExemptionReasonCode` is one of the authority's own codes"],
    [
      ...rows,
      ['AE 0 %', 'as AE at the rate that is set for the taxpayer, with `REVERSE-CHARGE-RATE-ASSUMED`'],
      ['E with a reason of the European list', 'see below; 55 for a reason without a certain counterpart'],
      [
        'any without a code, with the note of one indicator that fits as `TaxExemptionReason`',
        'that indicator; where those of several rates have the same note, the one of the rate',
      ],
      [
        'any with a reason that contradicts it, such as `VATEX-EU-AE` under S',
        'as without it, with `ELEMENT-LEFT-OUT`; under E as below',
      ],
      ['any but E, with notes of several that fit', '55, unless one of them is the indicator above'],
      ['E without either', `\`${EXEMPT_WITHOUT_CREDIT}\`, with \`EXEMPTION-ASSUMED\``],
      ['Z, and what is not above', "none: the document must state the authority's code or its note"],
    ],
  );
}

/** What the points of the directive are about, where an indicator of its own stands for them. */
const REASON_NAMES: Readonly<Record<string, string>> = {
  'VATEX-EU-132-1A': 'post',
  'VATEX-EU-132-1B': 'hospitals',
  'VATEX-EU-132-1C': 'medical professions',
  'VATEX-EU-132-1D': 'blood and organs',
  'VATEX-EU-132-1G': 'social care',
  'VATEX-EU-132-1I': 'education',
  'VATEX-EU-132-1N': 'culture',
  'VATEX-EU-132-1P': 'transport of patients',
  'VATEX-EU-132-1Q': 'broadcasting',
  'VATEX-EU-79-C': 'amounts passed through',
  'VATEX-EU-G': 'export',
};

export function exemptionTable(): string {
  const byIndicators = [...Map.groupBy(EXEMPTION_INDICATORS, ([, indicators]) => indicators.join('`, else `'))];
  const rows = byIndicators.map(([indicators, reasons]) => [
    reasons.map(([reason]) => `\`${reason}\` ${REASON_NAMES[reason] ?? ''}`.trim()).join(', '),
    `\`${indicators}\``,
  ]);
  return table(['`TaxExemptionReasonCode`', 'Indicator; where the authority does not serve it, the next'], rows);
}

export function unitTable(): string {
  const rows = [...Map.groupBy(UNIT_LABELS, ([, label]) => label)].map(([label, codes]) => [
    listed(codes.map(([code]) => code)),
    `"${label}"`,
  ]);
  return table(['`@unitCode`', '`docItemMUnit`'], [...rows, ['any other', 'the code itself']]);
}

const SOURCE_ELEMENTS: Readonly<Record<ReferenceSource, string>> = {
  order: 'OrderReference',
  contract: 'ContractDocumentReference',
  originator: 'OriginatorDocumentReference',
  despatch: 'DespatchDocumentReference',
  receipt: 'ReceiptDocumentReference',
  statement: 'StatementDocumentReference',
  billing: 'BillingReference',
  additional: 'AdditionalDocumentReference',
};

export function referenceTable(): string {
  const kinds = Object.keys(AUTHORITY_TYPES) as ReferenceKind[];
  const rows = kinds.map((kind) => {
    const { codes, name } = AUTHORITY_TYPES[kind];
    const sources = Object.entries(KIND_BY_SOURCE).filter(([, of]) => of === kind);
    const elements = sources.map(([source]) => `\`${SOURCE_ELEMENTS[source as ReferenceSource]}\``);
    const typeCodes = [...KIND_BY_TYPE_CODE].filter(([, of]) => of === kind).map(([code]) => code);
    const additional = typeCodes.length === 0 ? [] : [`\`AdditionalDocumentReference\` of type ${listed(typeCodes)}`];
    const types = codes.map((code) => `\`${code}\``).join(', else ') || `the one named "${name?.source}"`;
    return [[...elements, ...additional, ...SPECIAL_REFERENCES[kind]].join(', '), types];
  });
  // The authority's type for fiscal receipts has no counterpart in UBL.
  const stated = rows.filter(([elements]) => elements !== '');
  return table(['Reference', "The authority's type"], stated);
}

/** Kinds that the program chooses by more than the element. */
const SPECIAL_REFERENCES: Readonly<Record<ReferenceKind, readonly string[]>> = {
  correction: ['`BillingReference` of a correction (384)'],
  registered: ['`BillingReference` of a registered document'],
  order: [],
  contract: [],
  tender: [],
  transport: [],
  offer: [],
  proforma: [],
  customs: [],
  receipt: [],
  other: ['`BillingReference` of a document that is not registered', 'any other `AdditionalDocumentReference`'],
};

const LENGTH_NAMES: Readonly<Record<keyof typeof CODEBOOK_LENGTH | keyof typeof CHOSEN_LENGTH, string>> = {
  name: 'name',
  street: 'street',
  houseNumber: 'house number',
  postalCode: 'postal code',
  city: 'city',
  taxNumber: 'foreign tax number',
  branchCode: 'code of the delivery location',
  branchText: 'name and address of the delivery location',
  documentNumber: 'number of the document',
  referenceNumber: 'number of a reference',
  itemCode: 'item code',
  tariffCode: 'tariff code',
  unit: 'unit',
  contact: 'contact, e-mail',
  text: 'item name, reason of a charge, delivery, texts of payment, numbers of prepayments, comment of a correction',
  notes: 'notes',
};

export function lengthTable(): string {
  const shown = (lengths: Readonly<Record<string, number>>) =>
    Object.entries(lengths).map(([name, length]) => `${LENGTH_NAMES[name as keyof typeof LENGTH_NAMES]} ${length}`);
  return table(
    ['At most so many characters', 'From'],
    [
      [shown(CODEBOOK_LENGTH).join('; '), "the authority's codebook"],
      [shown(CHOSEN_LENGTH).join('; '), 'chosen by us, with caution: the authority publishes none'],
    ],
  );
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

function listed(codes: readonly string[]): string {
  return codes.join(', ');
}
