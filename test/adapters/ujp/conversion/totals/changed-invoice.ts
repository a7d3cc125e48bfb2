import type { Amount, InvoiceContent, MonetaryTotals } from '../../../../../src/domain/documents/invoice-content.ts';
import type { Random } from '../../../../support/seeds.ts';
import { denars } from '../sample-content.ts';
import { type DrawnInvoice, drawInvoice, type Registered } from './drawn-invoice.ts';
import { pick, written } from './drawn-line.ts';

export type ChangedInvoice = DrawnInvoice & { readonly what: string };

type Change = (content: InvoiceContent, random: Random) => InvoiceContent | null;

/** One cent up or down. */
function changed(amount: Amount | null, random: Random): Amount | null {
  if (amount === null) return null;
  return denars(written(BigInt(amount.value.replace('.', '')) + (random() < 0.5 ? 1n : -1n), 2));
}

function ofTotals(name: keyof Omit<MonetaryTotals, 'path'>): Change {
  return (content, random) => {
    const amount = changed(content.totals[name], random);
    return amount === null ? null : { ...content, totals: { ...content.totals, [name]: amount } };
  };
}

/** The list with one of its members replaced; null if it has none. */
function withOne<Value>(values: readonly Value[], random: Random, replace: (value: Value) => Value): Value[] | null {
  if (values.length === 0) return null;
  const chosen = pick(random, [...values.keys()]);
  return values.map((value, index) => (index === chosen ? replace(value) : value));
}

function ofSubtotal(name: 'tax' | 'taxable'): Change {
  return (content, random) => {
    const [total] = content.taxTotals;
    const subtotals = withOne(total?.subtotals ?? [], random, (one) => ({
      ...one,
      [name]: changed(one[name], random),
    }));
    return total === undefined || subtotals === null ? null : { ...content, taxTotals: [{ ...total, subtotals }] };
  };
}

const CHANGES: Readonly<Record<string, Change>> = {
  lineExtension: ofTotals('lineExtension'),
  taxExclusive: ofTotals('taxExclusive'),
  taxInclusive: ofTotals('taxInclusive'),
  payable: ofTotals('payable'),
  prepaid: ofTotals('prepaid'),
  rounding: ofTotals('rounding'),
  subtotalTax: ofSubtotal('tax'),
  subtotalTaxable: ofSubtotal('taxable'),
  taxTotal: (content, random) => {
    const taxTotals = withOne(content.taxTotals, random, (one) => ({ ...one, amount: changed(one.amount, random) }));
    return taxTotals && { ...content, taxTotals };
  },
  line: (content, random) => {
    const change = (amount: Amount | null) => changed(amount, random);
    const lines = withOne(content.lines, random, (one) => ({ ...one, lineExtension: change(one.lineExtension) }));
    return lines && { ...content, lines };
  },
  allowance: (content, random) => {
    const { allowanceCharges: all } = content;
    const allowanceCharges = withOne(all, random, (one) => ({ ...one, amount: changed(one.amount, random) }));
    return allowanceCharges && { ...content, allowanceCharges };
  },
};

/** A consistent document in which one figure is a cent off; what would have to be registered stays the same. */
export function drawChangedInvoice(random: Random, lineCount: number): ChangedInvoice {
  for (;;) {
    const { content, registered } = drawInvoice(random, lineCount);
    const what = pick(random, Object.keys(CHANGES));
    const inconsistent = CHANGES[what]?.(content, random) ?? null;
    if (inconsistent !== null)
      return { what, content: inconsistent, registered: withPrepaid(inconsistent, registered) };
  }
}

function withPrepaid({ totals }: InvoiceContent, registered: Registered): Registered {
  const prepaid = BigInt(totals.prepaid?.value.replace('.', '') ?? '0');
  return { ...registered, prepaid };
}
