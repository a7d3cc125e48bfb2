import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import type { InvoiceDocument } from './document-schema.ts';

export const HOME_CURRENCY = 'MKD';

/** The authority's published reference, §3.6: payment type, currency and exchange rate, each with its code of §7.3. */
export function checkPayment({ header, docPayment }: InvoiceDocument, lists: ListsInForce): readonly Finding[] {
  return [
    ...checkPaymentType(docPayment, lists),
    ...checkCurrency(docPayment, lists),
    ...checkRateDate(docPayment, header.docDate),
  ];
}

type Payment = InvoiceDocument['docPayment'];

function checkPaymentType({ docPaymentTypeCode, docPaymentTypeDesc }: Payment, lists: ListsInForce) {
  const type = lists.find('payment-types', docPaymentTypeCode);
  if (type === undefined) {
    return [finding('E50074', 'docPaymentTypeCode', `Payment type ${docPaymentTypeCode} does not exist`)];
  }
  if (type.description === docPaymentTypeDesc) return [];
  return [finding('E50075', 'docPaymentTypeDesc', `Payment type ${type.code} is not called '${docPaymentTypeDesc}'`)];
}

function checkCurrency({ docCurrency, docCurrencyCode, docCurrencyExchRate }: Payment, lists: ListsInForce) {
  const currency = lists.find('currency', docCurrencyCode);
  if (currency === undefined) {
    return [finding('E50076', 'docCurrencyCode', `Currency ${docCurrencyCode} does not exist`)];
  }
  if (currency.name !== docCurrency) {
    return [finding('E50077', 'docCurrency', `Currency ${docCurrencyCode} is not called '${docCurrency}'`)];
  }
  const isRate = docCurrencyCode === HOME_CURRENCY ? docCurrencyExchRate === 1 : docCurrencyExchRate > 0;
  if (isRate) return [];
  const message = `Exchange rate ${docCurrencyExchRate} is impossible for ${docCurrencyCode}`;
  return [finding('E5007', 'docCurrencyExchRate', message)];
}

/** Chosen: that a rate of a later day is refused, as there is none yet when the document is issued. */
function checkRateDate({ docCurrencyDate }: Payment, docDate: string): readonly Finding[] {
  if (docCurrencyDate <= docDate) return [];
  return [finding('E5007', 'docCurrencyDate', `The exchange rate is dated ${docCurrencyDate}, after the document`)];
}

function finding(code: string, member: string, message: string): Finding {
  return { code, message, parameter: `document.docPayment.${member}` };
}
