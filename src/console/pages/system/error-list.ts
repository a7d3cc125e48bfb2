import { type Html, html } from '../../../http/pages/html.ts';
import { badge } from '../marks.ts';
import type { ConsoleView } from '../view.ts';

type LogLine = Readonly<Record<string, unknown>>;

/** Lines of the log as an operator reads them: when, how bad, what, and the facts beside it. */
export function errorList(view: ConsoleView, lines: readonly string[]): Html {
  if (lines.length === 0) return html`<p>${badge('good', view.words('no-errors'))}</p>`;
  return html`<ul class="plain errors" tabindex="0">${lines.map((line) => html`<li>${entryOf(view, line)}</li>\n`)}</ul>`;
}

function entryOf({ words, time }: ConsoleView, line: string): Html {
  const read = readLine(line);
  // One that was too long to be kept whole.
  if (read === null) return html`<code>${line}</code>`;
  const { level, time: at, msg, ...facts } = read;
  const mark = level === 'warn' ? badge('warn', words('log-warning')) : badge('bad', words('log-error'));
  const when = Date.parse(String(at));
  return html`${mark} <span class="quiet small">${Number.isNaN(when) ? String(at) : time(when)}</span><br>${String(msg)}
<p class="quiet small">${factsText(facts)}</p>`;
}

function readLine(line: string): LogLine | null {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return null;
  }
}

function factsText(facts: LogLine): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ');
}

/** Of an error its message: where it came from is in the log. */
function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { message } = value as { readonly message?: unknown };
  return typeof message === 'string' ? message : JSON.stringify(value);
}
