import type { DocumentPreview, PreviewedParty } from '../../../application/ports/validation/dry-run.ts';
import type { UjpAddress, UjpPayload, UjpTotals } from '../conversion/payload.ts';

/** An answer that holds ten thousand lines is read by nobody; they were all converted and checked. */
const MOST_LINES = 500;

/** What is shown of a payload before it is signed. */
export function previewOfPayload({ document }: UjpPayload): DocumentPreview {
  const { header, seller, buyer, docPayment, docReferences, docItems, vatTotals, docTotals } = document;
  return {
    type: { code: header.docType, name: header.docTypeName },
    isCorrection: header.docStorno === 2,
    number: header.docNumber,
    date: header.docDate,
    supplyDate: header.docTurnoverDate,
    deliveryDate: header.docDeliveryDate,
    seller: party(seller.sellerName, seller.sellerTin ?? seller.sellerForeignTin, {
      vatNumber: seller.sellerVatNumber,
      country: seller.sellerCCode,
      address: addressText(seller.sellerAddress),
    }),
    buyer: party(buyer.buyerName, buyer.buyerTin ?? buyer.buyerForeignTin, {
      vatNumber: buyer.buyerVatNumber,
      country: buyer.buyerCCode,
      address: addressText(buyer.buyerAddress),
    }),
    payment: {
      type: { code: docPayment.docPaymentTypeCode, name: docPayment.docPaymentTypeDesc },
      dueDate: docPayment.docPaymentTypeDueDate,
      currency: docPayment.docCurrencyCode,
      exchangeRate: docPayment.docCurrencyExchRate,
    },
    references: docReferences.map((one) => ({
      type: one.docTypeRef,
      number: one.docNumberRef,
      date: one.docDateRef,
    })),
    lineCount: docItems.length,
    lines: docItems.slice(0, MOST_LINES).map((item) => ({
      number: item.docItemLineNo,
      description: item.docItemDesc,
      quantity: item.docItemQty,
      unit: item.docItemMUnit,
      unitPrice: item.docItemUnitPriceWoVat,
      net: item.docItemTotalPriceWoVat,
      vatIndicator: item.docItemTaxIndicator,
      vatRate: item.docItemVat,
      vat: item.docItemTotalVat,
      gross: item.docItemTotalPriceWVat,
    })),
    vat: vatTotals.map((row) => ({
      indicator: row.vatTaxIndicator,
      note: row.vatTaxIndicatorNote,
      rate: row.vatPercent,
      taxable: row.vatTaxableAmount,
      vat: row.vatAmount,
      gross: row.vatTotalAmount,
    })),
    totals: totals(docTotals),
  };
}

function party(
  name: string,
  taxNumber: string | null,
  more: Pick<PreviewedParty, 'vatNumber' | 'country' | 'address'>,
): PreviewedParty {
  return { name, taxNumber, ...more };
}

function addressText({ streetAddress, streetNumber, postalCode, city }: UjpAddress): string {
  const parts = [
    [streetAddress, streetNumber],
    [postalCode, city],
  ];
  return parts
    .map((part) => part.filter((text) => text !== null).join(' '))
    .filter((text) => text !== '')
    .join(', ');
}

function totals(sums: UjpTotals): DocumentPreview['totals'] {
  return {
    net: sums.docNetAmount,
    discount: sums.docDiscountAmount,
    netAfterDiscount: sums.docNetAmountDisc,
    vat: sums.docVatAmount,
    gross: sums.docGrossAmount,
    grossRounded: sums.docGrossAmountR,
    prepaid: sums.docAvansAmount,
    payable: sums.docFinalAmount,
  };
}
