import type { ViewedDocument, ViewedState } from '../../../application/views/view-document.ts';
import type { AuthorityStatus } from '../../../domain/documents/authority-status.ts';
import type { OutboundDocument, StatusChange } from '../../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import { renderStored } from '../../../domain/messages/render.ts';
import { wordForCode } from '../../../domain/messages/view-texts.ts';
import { shortText } from '../../../domain/values/one-line-text.ts';
import { type Html, html } from '../html.ts';
import { filled } from '../page.ts';
import type { PageContext } from './page-context.ts';

type Tone = 'good' | 'bad' | 'calm';

/** A buyer's no, and a void: registered, but of no effect any more. */
const ENDED_BY_AUTHORITY: ReadonlySet<string> = new Set(['05', '07']);
const MOST_CHARACTERS = 2_000;
const MOST_WARNINGS = 50;

/** The status in plain words, why it is so, and what was left out or assumed. */
export function statusSection({ state }: ViewedDocument, context: PageContext): Html {
  const { name, means, tone } = state.direction === 'outbound' ? ofOutbound(state, context) : ofInbound(state, context);
  const authority = authorityStatusOf(state);
  const sentence = authority === null ? null : authoritySentence(authority, context);
  const failure = state.direction === 'outbound' ? failureOf(state.document, context) : null;
  return html`<div class="state ${tone}"><p class="state-name">${name}</p>
<p>${means}${sentence === null ? null : ` ${sentence}`}</p>${failure}</div>
${state.direction === 'outbound' ? warningsOf(state.document, context) : null}`;
}

function ofOutbound({ document }: Extract<ViewedState, { direction: 'outbound' }>, { words }: PageContext) {
  const { status, ujp } = document;
  return {
    name: words(`outbound-${status}`),
    means: words(`outbound-${status}-means`),
    tone: toneOf(status, ujp?.statusCode ?? ''),
  };
}

function toneOf(status: OutboundDocument['status'], authorityStatus: string): Tone {
  if (status === OUTBOUND_STATUS.rejected || status === OUTBOUND_STATUS.failed) return 'bad';
  if (status !== OUTBOUND_STATUS.accepted) return 'calm';
  return ENDED_BY_AUTHORITY.has(authorityStatus) ? 'bad' : 'good';
}

function ofInbound({ document }: Extract<ViewedState, { direction: 'inbound' }>, { words }: PageContext) {
  const key = document.ackedAt === null ? 'inbound-new' : 'inbound-imported';
  const isEnded = ENDED_BY_AUTHORITY.has(document.authorityStatus?.code ?? '');
  const tone: Tone = isEnded ? 'bad' : document.ackedAt === null ? 'calm' : 'good';
  return { name: words(key), means: words(`${key}-means`), tone };
}

function authorityStatusOf(state: ViewedState): AuthorityStatus | null {
  if (state.direction === 'inbound') return state.document.authorityStatus;
  const { ujp } = state.document;
  if (ujp === null || !ujp.accepted || ujp.statusCode === null) return null;
  return { code: ujp.statusCode, name: ujp.statusName };
}

function authoritySentence({ code, name }: AuthorityStatus, { language, words }: PageContext): Html {
  const known = wordForCode(language, 'authority', code);
  if (known !== null) return html`${known}`;
  return filled(words('authority-other'), { status: shortText(name ?? code, MOST_CHARACTERS) });
}

function failureOf(document: OutboundDocument, { language, words }: PageContext): Html | null {
  const { failureCode, failureMessage, failureSentences } = document;
  if (failureMessage === null) return null;
  const text = shortText(renderStored(language, failureSentences, failureMessage), MOST_CHARACTERS);
  return html`<p><strong>${words('reason')}:</strong> ${text}${failureCode === null ? null : html` <span class="quiet">(${failureCode})</span>`}</p>`;
}

function warningsOf({ warnings }: OutboundDocument, { language, words }: PageContext): Html | null {
  if (warnings.length === 0) return null;
  const items = warnings.slice(0, MOST_WARNINGS).map(({ text, sentence }) => {
    const said = renderStored(language, sentence === undefined ? null : [sentence], text);
    return html`<li>${shortText(said, MOST_CHARACTERS)}</li>\n`;
  });
  return html`<section class="warnings"><h2>${words('warnings')}</h2><ul>
${items}</ul></section>`;
}

const LATER_STATUSES = { 'UJP-REJECTED-BY-BUYER': 'rejected-by-buyer', 'UJP-VOIDED': 'voided' } as const;

/** Every step with its time. */
export function historySection({ state }: ViewedDocument, { words, time }: PageContext): Html {
  const rows = state.direction === 'outbound' ? state.history.map(stepOf) : stepsOf(state);
  return html`<section class="history"><h2>${words('history')}</h2>
<table><thead><tr><th scope="col">${words('status')}</th><th scope="col">${words('time')}</th></tr></thead><tbody>
${rows.map(([key, at]) => html`<tr><td>${words(key)}</td><td>${time(at)}</td></tr>\n`)}</tbody></table>
<p class="quiet">${words('history-times')}</p></section>`;
}

function stepOf({ status, at, failureCode }: StatusChange) {
  const later = LATER_STATUSES[failureCode as keyof typeof LATER_STATUSES] ?? null;
  return [later ?? (`outbound-${status}` as const), at] as const;
}

function stepsOf({ document: { receivedAt, ackedAt } }: Extract<ViewedState, { direction: 'inbound' }>) {
  const received = ['received-at', receivedAt] as const;
  return ackedAt === null ? [received] : [received, ['imported-at', ackedAt] as const];
}
