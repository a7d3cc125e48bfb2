import type { ConversionContext } from '../../../../../src/adapters/ujp/conversion/conversion-context.ts';
import type { InvoiceContent } from '../../../../../src/domain/documents/invoice-content.ts';
import { ALFA_EDB } from '../../../../support/ubl-samples.ts';
import { entry, LISTS } from '../authority-lists.ts';
import { CONTEXT, identifier, party } from '../sample-content.ts';

/** Rates of other countries get an indicator of this name, categories without VAT that of exemption. */
const RATE = /^\d+(?:\.\d+)?$/u;

/** The document with our tenant as supplier and with nothing but its amounts, its own currency and its own rates. */
export function onlyAmounts(content: InvoiceContent): InvoiceContent {
  const coded = JSON.stringify(content, (name, value) => {
    if (name !== 'taxCategories' && name !== 'category') return value;
    const code = (one: { percent: string | null } | null) =>
      one && { ...one, exemptionReasonCode: Number(one.percent ?? 0) === 0 ? 'DDV-9' : `RATE-${Number(one.percent)}` };
    return Array.isArray(value) ? value.map(code) : code(value);
  });
  const ours = JSON.parse(coded) as InvoiceContent;
  return {
    ...ours,
    number: '1',
    issueDate: '2026-11-02',
    typeCode: { value: ours.kind === 'Invoice' ? '380' : '381', name: null },
    supplier: party({ identifiers: [identifier('tax-scheme', ALFA_EDB, 'VAT')], country: 'MK' }),
    customer: party({ identifiers: [identifier('tax-scheme', ALFA_EDB, 'VAT')], country: 'MK' }),
    profile: { value: null, scheme: null },
    references: [],
    delivery: null,
    taxPointDate: null,
    period: null,
    paymentMeans: [],
  };
}

/** Lists with the currency and the rates of the document. */
export function ratesOf({ currency, lines, allowanceCharges }: InvoiceContent): ConversionContext {
  const categories = [
    ...lines.flatMap(({ item }) => item.taxCategories),
    ...allowanceCharges.flatMap((one) => one.taxCategories),
  ];
  const rates = [...new Set(categories.flatMap(({ percent }) => (RATE.test(percent ?? '') ? Number(percent) : [])))];
  const lists = {
    ...LISTS,
    allowedIndicators: [],
    currencies: [entry(currency ?? '', '')],
    taxGroups: [...LISTS.taxGroups, ...rates.map((rate) => ({ ...entry(`GROUP-${rate}`, ''), percent: rate }))],
    taxIndicators: [
      ...LISTS.taxIndicators,
      ...rates.map((rate) => ({
        ...entry(`RATE-${rate}`, ''),
        note: '',
        vatImpact: 'STANDARD',
        taxGroupCode: `GROUP-${rate}`,
      })),
    ],
  };
  return { ...CONTEXT, lists, exchangeRate: { currency: currency ?? '', date: '2026-11-02', rate: 61.5 } };
}
