import { OUTBOUND_STATUS, type OutboundStatus } from '../../domain/documents/outbound-status.ts';
import type { ConsoleWords } from '../../domain/messages/console-texts.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { filled } from '../../http/pages/page.ts';

/** How a state is to be taken: colour never says it alone, the word beside it does. */
export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'quiet';

const { received, processing, sent, accepted, rejected, failed, cancelled } = OUTBOUND_STATUS;

const TONES: Readonly<Record<OutboundStatus, Tone>> = {
  [received]: 'calm',
  [processing]: 'calm',
  [sent]: 'calm',
  [accepted]: 'good',
  [rejected]: 'warn',
  [failed]: 'bad',
  [cancelled]: 'quiet',
};

export function statusTone(status: OutboundStatus): Tone {
  return TONES[status];
}

export function badge(tone: Tone, text: Html | string): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** Behind a list that shows its first members alone. */
export function andMore(words: ConsoleWords, more: number): Html | null {
  return more > 0 ? html`<p class="quiet">${filled(words('and-more'), { more })}</p>` : null;
}
