export type Json = { [member: string]: unknown };

export type SampleLine = {
  readonly quantity: number;
  readonly price: number;
  readonly discount?: number;
  readonly group?: 'DDV-A' | 'DDV-V' | 'DDV-B' | 'DDV-G';
  readonly indicator?: string;
  readonly note?: string;
  /** Charged, exempt, or owed by the buyer (reverse charge). */
  readonly impact?: 'STANDARD' | 'OSLOBODEN' | 'PRENESEN';
};

export type SampleOrder = {
  readonly docNumber?: string;
  readonly docId?: string;
  readonly docDate?: string;
  readonly seller?: SampleParty;
  readonly buyer?: SampleParty;
  readonly lines?: readonly SampleLine[];
  readonly header?: Json;
  readonly references?: readonly Json[];
};

export type SampleParty = {
  readonly tin: string;
  readonly vatNumber: string | null;
  readonly name: string;
  readonly street: string;
  readonly number: string;
  readonly zip: string;
  readonly city: string;
};

export const ALFA: SampleParty = {
  tin: '4030026000018',
  vatNumber: 'МК4030026000018',
  name: 'АЛФА ДОО Скопје',
  street: 'Партизанска',
  number: '14',
  zip: '1000',
  city: 'Скопје',
};

export const BETA: SampleParty = {
  tin: '4080026000023',
  vatNumber: 'МК4080026000023',
  name: 'БЕТА ДООЕЛ Битола',
  street: 'Широк Сокак',
  number: '3',
  zip: '7000',
  city: 'Битола',
};

export const GAMA: SampleParty = {
  tin: '4001026000034',
  vatNumber: null,
  name: 'ГАМА ДООЕЛ Велес',
  street: 'Благој Ѓорев',
  number: '27',
  zip: '1400',
  city: 'Велес',
};

const RATES = { 'DDV-A': 18, 'DDV-V': 10, 'DDV-B': 5, 'DDV-G': 0 };

let count = 0;

/** A correct document, its amounts computed by the authority's formulas; without the timestamp of the request. */
export function sampleDocument(order: SampleOrder = {}): Json {
  count += 1;
  const docDate = order.docDate ?? '2026-11-10';
  const lines = order.lines ?? [{ quantity: 2, price: 1000 }];
  return {
    header: {
      docStorno: 0,
      docType: '100',
      docTypeName: 'Фактура',
      docDate,
      docTurnoverDate: docDate,
      docNumber: order.docNumber ?? `2026-${count}`,
      docId: order.docId ?? `id-${count}`,
      docDeliveryDate: null,
      docDelivery: null,
      docPeriodStartDate: null,
      docPeriodEndDate: null,
      docNotes: null,
      docHeader: null,
      docFooter: null,
      docIndicator: null,
      ...order.header,
    },
    docReferences: order.references ?? [],
    seller: party('seller', order.seller ?? ALFA),
    buyer: party('buyer', order.buyer ?? BETA),
    docPayment: {
      docPaymentTypeCode: 'P12',
      docPaymentTypeDesc: 'Плаќање преку банка',
      docPaymentTypeDueDays: 15,
      docPaymentTypeDueDate: null,
      docPaymentTerms: null,
      docPaymentNote: null,
      docPaymentInterest: null,
      docPaymentDiscount: null,
      docCurrency: 'MKD',
      docCurrencyCode: 'MKD',
      docCurrencyDate: docDate,
      docCurrencyExchRate: 1,
    },
    docItems: lines.map(item),
    docTotals: totals(lines),
    vatTotals: vatTotals(lines),
  };
}

function party(role: 'seller' | 'buyer', { tin, vatNumber, name, street, number, zip, city }: SampleParty): Json {
  const members = {
    CCode: 'MK',
    CName: 'Северна Македонија',
    Tin: tin,
    ForeignTin: null,
    VatNumber: vatNumber,
    Name: name,
    Address: { streetAddress: street, streetNumber: number, postalCode: zip, city },
    Contact: null,
    Email: null,
    SubsidiaryCode: null,
    SubsidiaryName: null,
    SubsidiaryAddress: null,
  };
  return Object.fromEntries(Object.entries(members).map(([member, value]) => [`${role}${member}`, value]));
}

function figures({ quantity, price, discount = 0, group = 'DDV-A', impact = 'STANDARD' }: SampleLine) {
  const unit = price - discount;
  const unitVat = impact === 'STANDARD' ? (unit * RATES[group]) / 100 : 0;
  const owedVat = impact === 'OSLOBODEN' ? 0 : (unit * quantity * RATES[group]) / 100;
  return { unit, unitVat, original: quantity * price, total: quantity * unit, vat: quantity * unitVat, owedVat };
}

function item(line: SampleLine, index: number): Json {
  const { quantity, price, discount = 0, group = 'DDV-A', indicator = group } = line;
  const { unit, unitVat, original, total, vat } = figures(line);
  return {
    docItemLineNo: index + 1,
    docItemSku: null,
    docItemSenderCode: null,
    docItemReceiverCode: null,
    docItemDesc: `Производ ${index + 1}`,
    docItemMUnit: 'бр.',
    docItemQty: quantity,
    docItemUnitOriginalPriceWoVat: round(price, 4),
    docItemUnitDiscountAmount: round(discount, 4),
    docItemUnitPriceWoVat: round(unit, 4),
    docItemUnitVat: round(unitVat, 4),
    docItemVat: RATES[group],
    docItemVatGroup: group,
    docItemTotalOriginalPriceWoVat: round(original, 4),
    docItemTotalPriceWoVat: round(total, 4),
    docItemTotalVat: round(vat, 4),
    docItemTotalPriceWVat: round(total + vat, 4),
    docItemTaxIndicator: indicator,
    docItemDomesticProduct: null,
    docItemHs: null,
  };
}

function totals(lines: readonly SampleLine[]): Json {
  const all = lines.map(figures);
  const net = all.reduce((sum, { original }) => sum + original, 0);
  const discounted = all.reduce((sum, { total }) => sum + total, 0);
  const vat = all.reduce((sum, one) => sum + one.vat, 0);
  const gross = round(discounted + vat, 2);
  return {
    docNetAmount: round(net, 2),
    docDiscountAmount: round(net - discounted, 2),
    docNetAmountDisc: round(discounted, 2),
    docVatAmount: round(vat, 2),
    docGrossAmount: gross,
    docGrossAmountR: round(gross, 0),
    docAvansDate: null,
    docAvansDesc: null,
    docAvansAmount: 0,
    docFinalAmount: round(gross, 0),
  };
}

function vatTotals(lines: readonly SampleLine[]): readonly Json[] {
  const rows = Map.groupBy(lines, ({ group = 'DDV-A', indicator = group }) => `${group} ${indicator}`);
  return [...rows.values()].map((ofPair) => {
    const { group = 'DDV-A', indicator = group, note = '' } = ofPair[0] ?? {};
    const taxable = ofPair.reduce((sum, line) => sum + figures(line).total, 0);
    const vat = ofPair.reduce((sum, line) => sum + figures(line).owedVat, 0);
    return {
      vatTaxIndicator: indicator,
      vatTaxIndicatorNote: note,
      vatCode: group,
      vatPercent: RATES[group],
      vatTaxableAmount: round(taxable, 2),
      vatAmount: round(vat, 2),
      vatTotalAmount: round(taxable + vat, 2),
    };
  });
}

/** Rounds half away from zero. */
function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  const rounded = (Math.sign(value) * Math.round((Math.abs(value) + 1e-9) * factor)) / factor;
  return rounded === 0 ? 0 : rounded;
}

/** A copy with other values at the given paths, for example `seller.sellerName` or `docItems.0.docItemQty`. */
export function altered(document: Json, changes: Readonly<Record<string, unknown>>): Json {
  const copy = structuredClone(document);
  for (const [path, value] of Object.entries(changes)) {
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    const parent = parts.reduce((object, part) => object[part] as Json, copy);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return copy;
}
