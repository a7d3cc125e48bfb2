import { payloadText } from '../request-checks/envelope.ts';
import type { RegisteredDocument } from '../state/registered-document.ts';

type PayloadPart = {
  readonly document: {
    readonly header: { readonly docTypeName: string };
    readonly seller: { readonly sellerName: string };
    readonly buyer: { readonly buyerName: string };
    readonly docPayment: { readonly docCurrencyCode: string };
    readonly docItems: readonly {
      readonly docItemDesc: string;
      readonly docItemQty: number;
      readonly docItemMUnit: string;
      readonly docItemTotalPriceWVat: number;
    }[];
  };
};

const MAX_ITEMS_SHOWN = 20;
const MAX_DESCRIPTION = 60;

/** The main facts of a document, for the PDF and the page of the QR code. */
export function invoiceFacts({ jws, docNumber, docFinalAmount }: RegisteredDocument) {
  const { header, seller, buyer, docPayment, docItems } = (JSON.parse(payloadText(jws)) as PayloadPart).document;
  const shown = docItems.slice(0, MAX_ITEMS_SHOWN).map((item, index) => {
    const amount = item.docItemTotalPriceWVat.toFixed(2);
    const name = item.docItemDesc.slice(0, MAX_DESCRIPTION);
    return `${index + 1}. ${name}, ${item.docItemQty} ${item.docItemMUnit}: ${amount}`;
  });
  const rest = docItems.length - shown.length;
  return {
    title: `${header.docTypeName} ${docNumber}`,
    seller: seller.sellerName,
    buyer: buyer.buyerName,
    total: `${docFinalAmount.toFixed(2)} ${docPayment.docCurrencyCode}`,
    items: rest === 0 ? shown : [...shown, `+ ${rest}`],
  };
}
