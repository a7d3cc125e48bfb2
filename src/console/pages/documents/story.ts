import type { OutboundDetails } from '../../../application/outbound/inspect-outbound.ts';
import type { RecordedAttempt } from '../../../application/ports/storage/delivery-store.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { isStopOn } from '../../../domain/accounts/tenant.ts';
import { OUTBOUND_STATUS, type OutboundStatus } from '../../../domain/documents/outbound-status.ts';
import { viewWords } from '../../../domain/messages/view-texts.ts';
import { shortText } from '../../../domain/values/one-line-text.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import { filled } from '../../../http/pages/page.ts';
import { badge, statusTone, type Tone } from '../marks.ts';
import { durationText } from '../shown-durations.ts';
import type { ConsoleView } from '../view.ts';

const MOST_CHARACTERS = 400;
/** A document that fails for a day has dozens; the first ones and the last ones tell the story. */
const MOST_EVENTS = 60;
const FIRST_EVENTS = 10;

type Event = { readonly at: number; readonly tone: Tone; readonly says: Html };

/** Moves and attempts in the order of time, with what the authority answered. */
export function storySection(view: ConsoleView, details: OutboundDetails): Html {
  const { words, time } = view;
  const events = [...moves(view, details), ...attempts(view, details), ...others(view, details)].toSorted(
    (one, other) => one.at - other.at,
  );
  const items = events.map(
    ({ at, tone, says }) => html`<li class="${tone}"><span class="when">${time(at)}</span><div>${says}</div></li>\n`,
  );
  const more = items.length - MOST_EVENTS;
  if (more > 0) {
    const says = filled(words('and-more'), { more });
    items.splice(FIRST_EVENTS, more, html`<li class="quiet"><span class="when"></span><div>${says}</div></li>\n`);
  }
  return html`<section class="panel" aria-label="${words('document-story')}"><h2>${words('document-story')}</h2><ol class="story">
${items}</ol></section>`;
}

function moves({ language, words }: ConsoleView, { history }: OutboundDetails): Event[] {
  return history.map(({ at, status, failureCode }) => {
    const name = `${status} ${viewWords(language)(`outbound-${status}`)}`;
    const code = failureCode === null ? null : html` <code>${failureCode}</code>`;
    const says = html`<strong>${filled(words('status-became'), { status: name })}</strong>${code}`;
    return { at, tone: statusTone(status), says };
  });
}

const OUTCOME_TONES: Readonly<Record<string, Tone>> = { registered: 'good', refused: 'warn', failed: 'bad' };

function attempts(view: ConsoleView, { attempts: made }: OutboundDetails): Event[] {
  return made.map((attempt) => ({ at: attempt.startedAt, tone: 'quiet', says: attemptText(view, attempt) }));
}

function attemptText({ words, language, recorded }: ConsoleView, attempt: RecordedAttempt): Html {
  const { act, outcome, startedAt, endedAt, failureCode, message, answer } = attempt;
  const tone = OUTCOME_TONES[outcome ?? ''] ?? 'calm';
  const took =
    endedAt === null
      ? null
      : html` <span class="quiet small">${filled(words('took'), { time: durationText(language, Math.max(0, endedAt - startedAt)) })}</span>`;
  const code = failureCode === null ? null : html` <code>${failureCode}</code>`;
  const said = message === null ? null : html`<p>${shortText(recorded(message), MOST_CHARACTERS)}</p>`;
  const came =
    answer === null
      ? null
      : html`<details><summary>${words('answer')}</summary><pre class="tall" tabindex="0">${answer}</pre></details>`;
  return html`${words(`act-${act}`)} ${badge(tone, words(`outcome-${outcome ?? 'none'}`))}${code}${took}${said}${came}`;
}

function others({ words }: ConsoleView, { strayRegistrations, void: ownVoid }: OutboundDetails): Event[] {
  const strays = strayRegistrations.map(({ recordedAt, euid }) => ({
    at: recordedAt,
    tone: 'bad' as const,
    says: filled(words('stray-registration'), { euid: html`<code>${euid}</code>` }),
  }));
  if (ownVoid === null) return strays;
  const { requestedAt, endedAt, reason, state, failureCode } = ownVoid;
  const requested = {
    at: requestedAt,
    tone: 'calm' as const,
    says: filled(words('void-requested'), { reason: reason.name }),
  };
  if (endedAt === null || state === 'requested' || state === 'sent') return [...strays, requested];
  const says = html`${words(`void-${state}`)} ${failureCode === null ? null : html`<code>${failureCode}</code>`}`;
  return [...strays, requested, { at: endedAt, tone: state === 'registered' ? 'good' : 'bad', says }];
}

const { received, processing, sent, accepted, rejected, failed, cancelled } = OUTBOUND_STATUS;

const NEXT = {
  [received]: 'next-received',
  [processing]: 'next-processing',
  [sent]: 'next-sent',
  [rejected]: 'next-rejected',
  [failed]: 'next-failed',
  [cancelled]: 'next-cancelled',
} as const;

/** What the service will do by itself, and when. */
export function nextSection(view: ConsoleView, { document, dueAt }: OutboundDetails, { stopped }: Tenant): Html {
  const { words, time, now } = view;
  const { status } = document;
  const at = dueAt === null ? html`–` : time(dueAt);
  const key = status === accepted ? (dueAt === null ? 'next-accepted' : 'next-container') : NEXT[status];
  const isHeldUp = stopped !== null && isStopOn(stopped, now) && isUnderWay(status);
  const stop = isHeldUp ? html`<p class="bad">${filled(words('next-stopped'), { at: time(stopped.until) })}</p>` : null;
  return html`<section class="panel next"><h2>${words('what-next')}</h2><p>${filled(words(key), { at })}</p>${stop}</section>`;
}

function isUnderWay(status: OutboundStatus): boolean {
  return status === received || status === processing || status === sent;
}
