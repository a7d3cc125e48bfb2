import type { RegisteredDocument } from '../state/registered-document.ts';
import { invoiceFacts } from './invoice-facts.ts';
import { textPdf } from './pdf.ts';

/** A registered document as a page for people. */
export function invoicePdf(document: RegisteredDocument): Buffer {
  const { title, seller, buyer, total, items } = invoiceFacts(document);
  const body = [
    `Датум: ${document.docDate}`,
    `Продавач: ${seller}, ЕДБ ${document.seller}`,
    `Купувач: ${buyer}${document.buyerTin === '' ? '' : `, ${document.buyerTin}`}`,
    '',
    ...items,
    '',
    `Вкупно за плаќање: ${total}`,
    `EUID: ${document.euid}`,
  ];
  return textPdf(title, [{ text: title, size: 18 }, ...body.map((text) => ({ text, size: 11 }))]);
}
