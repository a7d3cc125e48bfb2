import { SEEN_EVERY_MS } from '../../../application/operations/announce-process.ts';
import type { ServiceProcess } from '../../../application/ports/storage/operations/process-store.ts';
import { STOP_CAUSES } from '../../../domain/accounts/tenant.ts';
import type { ConsoleKey } from '../../../domain/messages/console-texts.ts';
import type { DeliveryHold } from '../../../domain/operations/delivery-hold.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import { framed } from '../frame.ts';
import { badge } from '../marks.ts';
import { heldText } from '../tenants/tenants-page.ts';
import type { ConsoleView } from '../view.ts';
import { errorList } from './error-list.ts';
import type { Figures } from './system-figures.ts';
import { budgetSection, queueSection, taskSection } from './workload-sections.ts';

export type SystemState = {
  readonly processes: readonly ServiceProcess[];
  readonly figures: Figures;
  /** Lines of the log of this process, the newest first. */
  readonly errors: readonly string[];
  /** Why nothing is delivered; null where it is. */
  readonly hold: DeliveryHold | null;
};

const MISSED = 3;
const CIRCUITS = ['authority', 'database', ...STOP_CAUSES, 'key', 'clock', 'hold'] as const;
const ROLES: Readonly<Record<string, ConsoleKey>> = { all: 'role-all', api: 'role-api', worker: 'role-worker' };

export function systemPage(view: ConsoleView, { processes, figures, errors, hold }: SystemState): string {
  const { words } = view;
  const body = html`<h1>${words('system')}</h1><p class="lead">${words('system-lead')}</p><div data-live="system">
${heldText(view, hold)}
<h2>${words('what-is-held-up')}</h2>${circuits(view, figures)}
<h2>${words('processes')}</h2>${processTable(view, processes)}
<div class="split"><section class="panel"><h2>${words('queues')}</h2>${queueSection(view, figures)}</section>
<section class="panel"><h2>${words('recurring-tasks')}</h2>${taskSection(view, figures)}</section></div>
<div class="split"><section class="panel"><h2>${words('budgets')}</h2>${budgetSection(view, figures)}</section>
<section class="panel"><h2>${words('recent-errors')}</h2><p class="quiet small">${words('of-this-process')}</p>
${errorList(view, errors)}</section></div>
<p class="quiet small">${words('more-figures')}</p></div>`;
  return framed(view, { title: words('system'), place: 'system', body, isLive: true });
}

function circuits({ words, number }: ConsoleView, figures: Figures): Html {
  const open = CIRCUITS.map((kind) => ({ kind, count: figures.get('circuits_open', kind) ?? 0 })).filter(
    ({ count }) => count > 0,
  );
  if (open.length === 0) return html`<p>${badge('good', words('nothing-held-up'))}</p>`;
  return html`<ul class="plain">${open.map(({ kind, count }) => html`<li>${badge('bad', number(count))} ${words(`circuit-${kind}`)}</li>\n`)}</ul>`;
}

function processTable({ words, time, now }: ConsoleView, processes: readonly ServiceProcess[]): Html {
  const heads = ['process', 'state', 'version', 'started', 'last-seen'] as const;
  const isSeen = ({ seenAt }: ServiceProcess) => now - seenAt <= MISSED * SEEN_EVERY_MS;
  const rows = processes.map((one) => {
    const { id, role, host, version, startedAt, seenAt } = one;
    const state = badge(isSeen(one) ? 'good' : 'bad', words(isSeen(one) ? 'process-runs' : 'process-missing'));
    const does = ROLES[role] === undefined ? role : words(ROLES[role]);
    return html`<tr><td>${host} <span class="quiet small">${does}, ${id.slice(0, 8)}</span></td><td>${state}</td><td data-name="${words('version')}">${version}</td><td data-name="${words('started')}">${time(startedAt)}</td><td data-name="${words('last-seen')}">${time(seenAt)}</td></tr>\n`;
  });
  const versions = new Set(processes.filter(isSeen).map(({ version }) => version));
  const differ = versions.size > 1 ? html`<p>${badge('warn', words('version'))} ${words('versions-differ')}</p>` : null;
  return html`${differ}<table class="wide rows"><thead><tr>${heads.map((name) => html`<th scope="col">${words(name)}</th>`)}</tr></thead><tbody>
${rows}</tbody></table>`;
}
