import { SEEN_EVERY_MS } from '../../application/operations/announce-process.ts';
import type { ServiceProcess } from '../../application/ports/storage/operations/process-store.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { framed } from './frame.ts';
import { badge } from './marks.ts';
import type { ConsoleView } from './view.ts';

/** A figure of this process, as Prometheus reads it. */
export type Figure = { readonly name: string; readonly value: string };

export type SystemState = {
  readonly processes: readonly ServiceProcess[];
  readonly figures: readonly Figure[];
  /** Lines of the log of this process, the newest first. */
  readonly errors: readonly string[];
  /** Why nothing is delivered; null where it is. */
  readonly hold: string | null;
};

const MISSED = 3;

export function systemPage(view: ConsoleView, { processes, figures, errors, hold }: SystemState): string {
  const { words } = view;
  const body = html`<h1>${words('system')}</h1><div data-live="system">
${hold === null ? null : html`<p class="trouble">${words('delivery-held')} ${hold}</p>`}
<h2>${words('processes')}</h2>${processTable(view, processes)}
<h2>${words('recent-errors')}</h2><p class="quiet small">${words('of-this-process')}</p>
${errors.length === 0 ? html`<p>${badge('good', words('no-errors'))}</p>` : html`<pre class="tall" tabindex="0">${errors.join('\n')}</pre>`}
<h2>${words('queues-and-budgets')}</h2><p class="quiet small">${words('of-this-process')}</p>
<table class="rows"><thead><tr><th scope="col">${words('figure')}</th><th scope="col" class="num">${words('value')}</th></tr></thead><tbody>
${figures.map(({ name, value }) => html`<tr><td><code>${name}</code></td><td class="num">${value}</td></tr>\n`)}</tbody></table></div>`;
  return framed(view, { title: words('system'), place: 'system', body, isLive: true });
}

function processTable({ words, time, now }: ConsoleView, processes: readonly ServiceProcess[]): Html {
  const heads = ['process', 'state', 'version', 'started', 'last-seen'] as const;
  const rows = processes.map(({ id, role, host, version, startedAt, seenAt }) => {
    const isHere = now - seenAt <= MISSED * SEEN_EVERY_MS;
    const state = badge(isHere ? 'good' : 'bad', words(isHere ? 'process-runs' : 'process-missing'));
    return html`<tr><td>${host} <span class="quiet small">${role}, ${id.slice(0, 8)}</span></td><td>${state}</td><td>${version}</td><td>${time(startedAt)}</td><td>${time(seenAt)}</td></tr>\n`;
  });
  return html`<table class="wide rows"><thead><tr>${heads.map((name) => html`<th scope="col">${words(name)}</th>`)}</tr></thead><tbody>
${rows}</tbody></table>`;
}
