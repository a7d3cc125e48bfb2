import type { Catalogue } from '../catalogue/catalogue.ts';
import { type HttpAnswer, htmlPage } from '../http-answer.ts';
import { skopjeTime } from '../skopje-time.ts';
import type { Documents } from '../state/documents.ts';
import { invoiceFacts } from './invoice-facts.ts';

export const EUID_PAGE_ROOT = '/euid/';

/** The page that the QR code of a document links to. */
export function euidPage(euid: string, documents: Documents, catalogue: Catalogue): HttpAnswer {
  const document = documents.find(euid);
  if (document === undefined) {
    return htmlPage('Непозната е-Фактура', '<h1>Не постои е-Фактура со овој идентификатор.</h1>', 404);
  }
  const { title, seller, buyer, total } = invoiceFacts(document);
  const rows = [
    ['EUID', euid],
    ['Издавач', `${seller} (${document.seller})`],
    ['Примач', document.buyerTin === '' ? buyer : `${buyer} (${document.buyerTin})`],
    ['Датум', document.docDate],
    ['Вкупно за плаќање', total],
    ['Статус', catalogue.find('document-statuses', document.status)?.name ?? document.status],
    ['Примена', skopjeTime(new Date(document.registeredAt))],
  ] as const;
  const table = rows.map(([name, value]) => `<tr><th>${name}</th><td>${escaped(value)}</td></tr>`).join('\n');
  return htmlPage(escaped(title), `<h1>${escaped(title)}</h1>\n<table>\n${table}\n</table>`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
