import { type Html, html } from '../../http/pages/html.ts';

/** How a state is to be taken: colour never says it alone, the word beside it does. */
export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'quiet';

export function badge(tone: Tone, text: Html | string): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}
