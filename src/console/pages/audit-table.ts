import type { AuditEntry } from '../../application/ports/storage/audit-store.ts';
import { maskKeys } from '../../domain/audit/caller-text.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { filled } from '../../http/pages/page.ts';
import { ROOT } from '../answers.ts';
import { badge, type Tone } from './marks.ts';
import type { ConsoleView } from './view.ts';

/** So many entries beside a document; the page of the trail has them all. */
export const MOST_BESIDE_DOCUMENT = 50;

/** Of a document, newest first; where there are more than it shows, with the way to them. */
export function entriesOfDocument(view: ConsoleView, docUid: string, entries: readonly AuditEntry[]): Html {
  const { words, number } = view;
  const shown = entries.slice(0, MOST_BESIDE_DOCUMENT);
  const older =
    entries.length === shown.length
      ? null
      : html`<p><span class="quiet">${filled(words('entries-shown'), { entries: number(shown.length) })}</span> <a href="${ROOT}/audit?document=${docUid}">${words('audit')}</a></p>`;
  return html`${auditTable(view, shown)}${older}`;
}

export function auditTable({ words, time }: ConsoleView, entries: readonly AuditEntry[]): Html {
  if (entries.length === 0) return html`<p class="quiet">${words('nothing-here')}</p>`;
  const heads = ['time', 'who', 'what', 'result', 'address'] as const;
  const rows = entries.map((entry) => {
    const { at, operator, keyId, method, path, httpStatus, code, address, calls, tenant } = entry;
    // Entries from before migration 6 may hold what a caller sent in the wrong place.
    const asked = `${method} ${maskKeys(path)}`;
    const who = operator ?? keyId ?? '–';
    const result =
      httpStatus === 0 ? null : badge(toneOf(httpStatus), `${httpStatus}${code === null ? '' : ` ${code}`}`);
    return html`<tr><td>${time(at)}</td><td>${who} <span class="quiet small edb">${tenant ?? ''}</span></td><td><code>${asked}</code>${calls > 1 ? html` <span class="quiet">× ${calls}</span>` : null}</td><td>${result}</td><td class="address">${address}</td></tr>\n`;
  });
  return html`<table class="wide rows"><thead><tr>${heads.map((name) => html`<th scope="col">${words(name)}</th>`)}</tr></thead><tbody>
${rows}</tbody></table>`;
}

function toneOf(httpStatus: number): Tone {
  if (httpStatus < 400) return 'good';
  return httpStatus < 500 ? 'warn' : 'bad';
}
