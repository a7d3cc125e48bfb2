import { type Overview, PERIODS, type Period } from '../../application/operations/read-overview.ts';
import { OUTBOUND_STATUSES } from '../../domain/documents/outbound-status.ts';
import { viewWords } from '../../domain/messages/view-texts.ts';
import { shortText } from '../../domain/values/one-line-text.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { ROOT } from '../answers.ts';
import { activityChart } from './activity-chart.ts';
import { attentionList, type OverviewShown } from './attention.ts';
import { framed } from './frame.ts';
import { andMore, badge, statusTone } from './marks.ts';
import { durationText } from './shown-durations.ts';
import type { ConsoleView } from './view.ts';

const MOST_CODES = 8;
const MOST_CHARACTERS = 200;

export function overviewPage(view: ConsoleView, period: Period, overview: OverviewShown): string {
  const { words } = view;
  const body = html`<h1>${words('overview')}</h1>
<div data-live="overview">
${attentionList(view, overview)}
<h2>${words('documents-now')}</h2>
<ul class="cards">${OUTBOUND_STATUSES.map((status) => statusCard(view, overview, status))}</ul>
<div class="title-row"><h2>${words('activity')}</h2>${periodLinks(view, period)}</div>
<div class="split"><section class="panel grow">${activityChart(view, overview.steps, period !== '24h')}</section>
<section class="panel">${timesPanel(view, overview)}</section></div>
<div class="split"><section class="panel"><h3>${words('failures')}</h3>${codeTable(view, overview.failures, words('no-failures'))}</section>
<section class="panel"><h3>${words('retries')}</h3>${codeTable(view, overview.retries, words('no-retries'))}</section>
<section class="panel"><h3>${words('authority')}</h3>${authorityPanel(view, overview)}</section></div>
</div>`;
  return framed(view, { title: words('overview'), place: 'overview', body, isLive: true });
}

function statusCard(
  { language, number }: ConsoleView,
  { counts }: Overview,
  status: (typeof OUTBOUND_STATUSES)[number],
): Html {
  const documents = counts.get(status) ?? 0;
  const tone = documents === 0 ? 'quiet' : statusTone(status);
  return html`<li class="card ${tone}"><a href="${ROOT}/documents?status=${status}"><span class="figure">${number(documents)}</span><span class="label">${status} ${viewWords(language)(`outbound-${status}`)}</span></a></li>
`;
}

function periodLinks({ words }: ConsoleView, period: Period): Html {
  const links = (Object.keys(PERIODS) as Period[]).map(
    (one) =>
      html`<a class="period" href="${ROOT}?period=${one}"${one === period ? html` aria-current="true"` : null}>${words(`period-${one}`)}</a>`,
  );
  return html`<nav class="periods" aria-label="${words('period')}">${links}</nav>`;
}

function timesPanel(view: ConsoleView, { deliveryMs, oldest }: Overview): Html {
  const { words, now, language } = view;
  const shown = (ms: number | null) => (ms === null ? '–' : durationText(language, ms));
  const waiting =
    oldest === null
      ? html`<dd>–</dd>`
      : html`<dd><a href="${ROOT}/documents/outbound/${oldest.tenant}/${oldest.docUid}">${durationText(language, Math.max(0, now - oldest.since))}</a> <span class="quiet">${viewWords(language)(`outbound-${oldest.status}`)}</span></dd>`;
  return html`<h3>${words('delivery-time')}</h3><dl class="measures">
<div class="measure"><dt>${words('half-within')}</dt><dd>${shown(deliveryMs.p50)}</dd></div>
<div class="measure"><dt>${words('most-within')}</dt><dd>${shown(deliveryMs.p95)}</dd></div>
<div class="measure"><dt>${words('oldest-waiting')}</dt>${waiting}</div></dl>
<p class="quiet small">${words('delivery-time-means')}</p>`;
}

function codeTable({ number, words }: ConsoleView, counts: Overview['failures'], none: string): Html {
  if (counts.length === 0) return html`<p class="quiet">${none}</p>`;
  const rows = counts
    .slice(0, MOST_CODES)
    .map(
      ({ code, documents }) =>
        html`<tr><th scope="row"><a href="${ROOT}/documents?code=${encodeURIComponent(code)}">${code}</a></th><td class="num">${number(documents)}</td></tr>\n`,
    );
  return html`<table><thead><tr><th scope="col">${words('code')}</th><th scope="col" class="num">${words('documents')}</th></tr></thead><tbody>
${rows}</tbody></table>${andMore(words, counts.length - MOST_CODES)}`;
}

function authorityPanel({ words, number, recorded }: ConsoleView, { authority }: Overview): Html {
  if (authority.length === 0) return html`<p class="quiet">${words('authority-not-asked')}</p>`;
  const items = authority.map(({ environment, tasks, failing, failure }) => {
    const [tone, key] =
      failing === 0
        ? (['good', 'authority-answers'] as const)
        : failing < tasks
          ? (['warn', 'authority-answers-partly'] as const)
          : (['bad', 'authority-fails'] as const);
    const cause =
      failure === null ? null : html`<p class="quiet small">${shortText(recorded(failure), MOST_CHARACTERS)}</p>`;
    return html`<li><strong>${words(`installation-${environment}`)}</strong> ${badge(tone, words(key))} <span class="quiet small">${number(tasks - failing)}/${number(tasks)}</span>${cause}</li>\n`;
  });
  return html`<ul class="plain">${items}</ul><p class="quiet small">${words('authority-means')}</p>`;
}
