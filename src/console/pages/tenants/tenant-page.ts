import type { AccountCheckResult } from '../../../application/accounts/check-account.ts';
import { stopMark } from '../../../application/accounts/resume-tenant.ts';
import type { TenantState } from '../../../application/operations/read-tenant-state.ts';
import { findingText } from '../../../domain/messages/finding-text.ts';
import { words as messageWords } from '../../../domain/messages/render.ts';
import { shortText } from '../../../domain/values/one-line-text.ts';
import { facts } from '../../../http/pages/document/page-context.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import { filled } from '../../../http/pages/page.ts';
import { ROOT } from '../../answers.ts';
import { confirmPage } from '../confirm-page.ts';
import { formToken, framed } from '../frame.ts';
import { andMore, badge } from '../marks.ts';
import { durationText } from '../shown-durations.ts';
import { type ConsoleView, mayAct } from '../view.ts';
import { certificateUntil, heldText, stateBadges } from './tenants-page.ts';

const MOST_CHARACTERS = 400;
const MOST_PROBLEMS = 20;

/** With the results of an account check where one was just made. */
export function tenantPage(
  view: ConsoleView,
  state: TenantState,
  paceMs: number,
  check: readonly AccountCheckResult[] | null = null,
): string {
  const { words } = view;
  const { tenant } = state;
  const body = html`<div class="title-row"><h1>${tenant.name} ${stateBadges(view, tenant, undefined)}</h1><p><a href="${ROOT}/documents?tenant=${tenant.edb}">${words('documents-of-tenant')}</a></p></div>
${heldText(view, state.hold)}${stopSection(view, state)}
${check === null ? null : checkSection(view, check)}
<div class="split"><section class="panel"><h2>${words('facts')}</h2>${tenantFacts(view, state, paceMs)}
<form method="post" action="${ROOT}/tenants/${tenant.edb}/check">${formToken(view)}<p><button>${words('check-account')}</button> <span class="quiet small">${words('check-account-means')}</span></p></form></section>
<section class="panel"><h2>${words('credentials')}</h2>${credentials(view, state)}</section></div>
<div class="split"><section class="panel"><h2>${words('recurring-tasks')}</h2>${tasks(view, state)}</section>
<section class="panel"><h2>${words('inbound-problems')}</h2>${problems(view, state)}</section>
<section class="panel"><h2>${words('code-lists')}</h2>${codeLists(view, state)}</section></div>`;
  return framed(view, { title: tenant.name, place: 'tenants', body });
}

function stopSection(view: ConsoleView, { tenant }: TenantState): Html | null {
  const { words, time, recorded } = view;
  const { stopped } = tenant;
  if (stopped === null) return null;
  const when = filled(words('stopped-why'), { since: time(stopped.since), until: time(stopped.until) });
  const resume = mayAct(view)
    ? html`<p><a class="act" href="${ROOT}/tenants/${tenant.edb}/resume">${words('resume')}</a></p>`
    : null;
  return html`<section class="attention" aria-label="${words('stopped')}"><h2>${when}</h2><p>${shortText(recorded(stopped.reason), MOST_CHARACTERS)}</p>${resume}</section>`;
}

function checkSection({ words, language }: ConsoleView, check: readonly AccountCheckResult[]): Html {
  const rows = check.map(
    ({ what, detail, ...result }) =>
      html`<li>${checkBadge(words, result)} <strong>${messageWords(language, what)}</strong> <span class="quiet">${shortText(findingText(language, detail), MOST_CHARACTERS)}</span></li>\n`,
  );
  return html`<section class="panel" role="status"><h2>${words('account-check')}</h2><ul class="plain checks">${rows}</ul></section>`;
}

function checkBadge(
  words: ConsoleView['words'],
  { isOk, isUntested }: Pick<AccountCheckResult, 'isOk' | 'isUntested'>,
) {
  if (isUntested) return badge('quiet', words('check-untested'));
  return isOk ? badge('good', words('check-good')) : badge('bad', words('check-bad'));
}

function tenantFacts(view: ConsoleView, { tenant, sharing }: TenantState, paceMs: number): Html | null {
  const { words, language, number } = view;
  const pace = filled(words('pace-means'), {
    pace: durationText(language, paceMs),
    user: html`<code>${tenant.eujpId ?? '–'}</code>`,
    tenants: number(sharing),
  });
  return facts([
    [words('edb'), html`<code>${tenant.edb}</code>`],
    [words('installation'), words(`installation-${tenant.environment}`)],
    [words('user'), tenant.eujpId],
    [words('pace'), pace],
  ]);
}

function credentials(view: ConsoleView, { certificate }: TenantState): Html | null {
  const { words, time } = view;
  if (certificate === null) return html`<p>${certificateUntil(view, null)}</p>`;
  return facts([
    [words('serial-number'), html`<code>${certificate.serialNumber}</code>`],
    [words('valid-to'), certificateUntil(view, certificate.validTo)],
    [words('changed-at'), time(certificate.changedAt)],
  ]);
}

function tasks({ words, time, recorded }: ConsoleView, { tasks: runs }: TenantState): Html {
  if (runs.length === 0) return html`<p class="quiet">${words('nothing-here')}</p>`;
  const rows = runs.map(({ name, dueAt, failures, failure }) => {
    const why =
      failures > 0 && failure !== null
        ? html`<p class="quiet small">${shortText(recorded(failure), MOST_CHARACTERS)}</p>`
        : null;
    return html`<tr><th scope="row">${words(`task-${name}`)}</th><td data-name="${words('next-run')}"><div>${time(dueAt)}${why}</div></td><td class="num" data-name="${words('failures-in-a-row')}">${failures === 0 ? '0' : badge('warn', String(failures))}</td></tr>\n`;
  });
  return html`<table class="stacked"><thead><tr><th scope="col">${words('task')}</th><th scope="col">${words('next-run')}</th><th scope="col" class="num">${words('failures-in-a-row')}</th></tr></thead><tbody>
${rows}</tbody></table>`;
}

function problems({ words, time, recorded }: ConsoleView, { problems: found }: TenantState): Html {
  if (found.length === 0) return html`<p class="quiet">${words('no-problems')}</p>`;
  const items = found
    .slice(0, MOST_PROBLEMS)
    .map(
      ({ subject, reason, since }) =>
        html`<li><code>${shortText(subject, 100)}</code> <span class="quiet small">${time(since)}</span><p>${shortText(recorded(reason), MOST_CHARACTERS)}</p></li>\n`,
    );
  return html`<ul class="plain">${items}</ul>${andMore(words, found.length - MOST_PROBLEMS)}`;
}

function codeLists({ words, time }: ConsoleView, { codeLists: lists }: TenantState): Html {
  const rows = lists.map(
    ({ type, readAt }) =>
      html`<tr><th scope="row">${type}</th><td>${readAt === null ? words('never') : time(readAt)}</td></tr>\n`,
  );
  return html`<table><thead><tr><th scope="col">${words('code-list')}</th><th scope="col">${words('read-at')}</th></tr></thead><tbody>
${rows}</tbody></table>`;
}

export function resumePage(view: ConsoleView, { tenant }: TenantState): string {
  const { words } = view;
  return confirmPage(view, {
    place: 'tenants',
    title: filled(words('resume-tenant'), { tenant: tenant.name }),
    says: [
      filled(words('resume-cause'), {
        reason: shortText(view.recorded(tenant.stopped?.reason ?? '–'), MOST_CHARACTERS),
      }),
      words('resume-means'),
    ],
    does: words('resume'),
    fields: html`<input type="hidden" name="stop" value="${tenant.stopped === null ? '' : stopMark(tenant.stopped)}">`,
    back: `${ROOT}/tenants/${tenant.edb}`,
  });
}
