import type { OperatorAccount } from '../../domain/accounts/operator-account.ts';
import { type ConsoleWords, consoleWords } from '../../domain/messages/console-texts.ts';
import type { Language } from '../../domain/messages/languages.ts';
import { recordedText } from '../../domain/messages/recorded-text.ts';
import { quantityText, timeText } from '../../domain/views/shown-numbers.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { ROOT } from '../answers.ts';
import type { Visit } from '../visit.ts';

/** What every page of the console depends on. */
export type ConsoleView = {
  readonly language: Language;
  readonly words: ConsoleWords;
  /** Null where nobody is signed in. */
  readonly operator: OperatorAccount | null;
  /** For the forms of the page. */
  readonly formToken: string;
  /** The address of the page itself, without a choice of language. */
  readonly here: URL;
  readonly now: number;
  readonly isDemo: boolean;
  /** A point in time, in Skopje. */
  readonly time: (at: number) => Html;
  readonly number: (value: number) => string;
  /** What was put on record in English, in the language of the page. */
  readonly recorded: (text: string) => string;
};

export function consoleView(
  { language, session, path, query, site }: Visit,
  now: number,
  isDemo: boolean,
): ConsoleView {
  const here = new URL(`${ROOT}${path === '/' ? '' : path}?${query}`, site.origin);
  here.searchParams.delete('language');
  return {
    language,
    words: consoleWords(language),
    operator: session?.operator ?? null,
    formToken: session?.formToken ?? '',
    here,
    now,
    isDemo,
    recorded: (text) => recordedText(language, text),
    number: (value) => quantityText(language, String(value)),
    time: (at) => html`<time datetime="${new Date(at).toISOString()}">${timeText(language, at)}</time>`,
  };
}

export function mayAct({ operator }: ConsoleView): boolean {
  return operator?.role === 'operator';
}
