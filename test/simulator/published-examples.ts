import { altered, type Json, sampleDocument } from './sample-document.ts';

/** The examples that the authority has published, with all their figures. */
export const PUBLISHED_EXAMPLES: Readonly<
  Record<string, { readonly item: Json; readonly totals: Json; readonly vatRow: Json }>
> = {
  '100 denars with 5% VAT in them': {
    item: {
      docItemQty: 1,
      docItemUnitOriginalPriceWoVat: 95.2381,
      docItemUnitDiscountAmount: 0,
      docItemUnitPriceWoVat: 95.2381,
      docItemUnitVat: 4.7619,
      docItemVat: 5,
      docItemVatGroup: 'DDV-B',
      docItemTotalOriginalPriceWoVat: 95.2381,
      docItemTotalPriceWoVat: 95.2381,
      docItemTotalVat: 4.7619,
      docItemTotalPriceWVat: 100,
      docItemTaxIndicator: 'DDV-B',
    },
    totals: {
      docNetAmount: 95.24,
      docDiscountAmount: 0,
      docNetAmountDisc: 95.24,
      docVatAmount: 4.76,
      docGrossAmount: 100,
      docGrossAmountR: 100,
      docFinalAmount: 100,
    },
    vatRow: {
      vatTaxIndicator: 'DDV-B',
      vatTaxIndicatorNote: '',
      vatCode: 'DDV-B',
      vatPercent: 5,
      vatTaxableAmount: 95.24,
      vatAmount: 4.76,
      vatTotalAmount: 100,
    },
  },
  'two pieces exempt from VAT with 10% discount': {
    item: exempt({ docItemVat: 0, docItemVatGroup: 'DDV-G', docItemTaxIndicator: 'DDV-9' }),
    totals: exemptTotals(),
    vatRow: {
      vatTaxIndicator: 'DDV-9',
      vatTaxIndicatorNote: 'ДДВ не е пресметан согласно член 23 од ЗДДВ',
      vatCode: 'DDV-G',
      vatPercent: 0,
      vatTaxableAmount: 3050.85,
      vatAmount: 0,
      vatTotalAmount: 3050.85,
    },
  },
  'the same with VAT that the buyer owes': {
    item: exempt({ docItemVat: 18, docItemVatGroup: 'DDV-A', docItemTaxIndicator: 'DDV-11-A' }),
    totals: exemptTotals(),
    vatRow: {
      vatTaxIndicator: 'DDV-11-A',
      vatTaxIndicatorNote: 'Пренесување на даночна обврска согласно член 32-а од ЗДДВ',
      vatCode: 'DDV-A',
      vatPercent: 18,
      vatTaxableAmount: 3050.85,
      vatAmount: 549.15,
      vatTotalAmount: 3600,
    },
  },
};

function exempt(more: Json): Json {
  return {
    docItemQty: 2,
    docItemUnitOriginalPriceWoVat: 1694.9153,
    docItemUnitDiscountAmount: 169.4915,
    docItemUnitPriceWoVat: 1525.4237,
    docItemUnitVat: 0,
    docItemTotalOriginalPriceWoVat: 3389.8305,
    docItemTotalPriceWoVat: 3050.8475,
    docItemTotalVat: 0,
    docItemTotalPriceWVat: 3050.8475,
    ...more,
  };
}

function exemptTotals(): Json {
  return {
    docNetAmount: 3389.83,
    docDiscountAmount: 338.98,
    docNetAmountDisc: 3050.85,
    docVatAmount: 0,
    docGrossAmount: 3050.85,
    docGrossAmountR: 3051,
    docFinalAmount: 3051,
  };
}

/** A document with the figures of a published example. */
export function publishedExample(name: string): Json {
  const { item, totals, vatRow } = PUBLISHED_EXAMPLES[name] ?? { item: {}, totals: {}, vatRow: {} };
  const document = sampleDocument();
  const [sampleItem] = document['docItems'] as Json[];
  return altered(document, {
    docItems: [{ ...sampleItem, ...item }],
    docTotals: { ...(document['docTotals'] as Json), ...totals },
    vatTotals: [vatRow],
  });
}

/** Every figure of a published example, with its path and the code of an error in it. */
export function figuresOf(name: string): readonly { path: string; figure: number; code: string }[] {
  const { item, totals, vatRow } = PUBLISHED_EXAMPLES[name] ?? { item: {}, totals: {}, vatRow: {} };
  const parts = [
    ['docItems.0', item, 'E10203'],
    ['docTotals', totals, 'E10201'],
    ['vatTotals.0', vatRow, 'E10202'],
  ] as const;
  return parts.flatMap(([part, figures, code]) =>
    Object.entries(figures).flatMap(([member, figure]) => {
      // The rate of an item is compared with its tax group before any amount is computed.
      const expected = member === 'docItemVat' ? 'E1004' : code;
      return typeof figure === 'number' ? [{ path: `${part}.${member}`, figure, code: expected }] : [];
    }),
  );
}
