import type { ActivityStep } from '../../application/operations/read-overview.ts';
import { OUTBOUND_STATUS, type OutboundStatus } from '../../domain/documents/outbound-status.ts';
import { viewWords } from '../../domain/messages/view-texts.ts';
import { timeText } from '../../domain/views/shown-numbers.ts';
import { type Html, html } from '../../http/pages/html.ts';
import type { ConsoleView } from './view.ts';

const { received, accepted, rejected, failed } = OUTBOUND_STATUS;
const WIDTH = 720;
const HEIGHT = 190;
const PLOT = { left: 44, right: 8, top: 10, bottom: 24 };
const INNER = { width: WIDTH - PLOT.left - PLOT.right, height: HEIGHT - PLOT.top - PLOT.bottom };
/** How much of its step a bar fills. */
const FILLED = 0.72;
const LABELS = 6;

/** Bottom up. */
const STACK: readonly { readonly status: OutboundStatus; readonly tone: string }[] = [
  { status: accepted, tone: 'good' },
  { status: rejected, tone: 'warn' },
  { status: failed, tone: 'bad' },
];

/** Bars of what ended in each step, a line of what was submitted; the same as a table for who does not see it. */
export function activityChart(view: ConsoleView, steps: readonly ActivityStep[], hasDays: boolean): Html {
  const { words, language } = view;
  const of = ({ moves }: ActivityStep, status: OutboundStatus) => moves.get(status) ?? 0;
  const ended = (step: ActivityStep) => STACK.reduce((sum, { status }) => sum + of(step, status), 0);
  const top = niceTop(Math.max(1, ...steps.map((step) => Math.max(ended(step), of(step, received)))));
  const stepWidth = INNER.width / Math.max(1, steps.length);
  const x = (index: number) => PLOT.left + index * stepWidth;
  const y = (documents: number) => PLOT.top + INNER.height * (1 - documents / top);
  const bars = steps.map((step, index) => {
    let below = 0;
    return STACK.map(({ status, tone }) => {
      const documents = of(step, status);
      if (documents === 0) return null;
      below += documents;
      return html`<rect class="bar ${tone}" x="${round(x(index) + (stepWidth * (1 - FILLED)) / 2)}" y="${round(y(below))}" width="${round(stepWidth * FILLED)}" height="${round(y(0) - y(documents))}"/>`;
    });
  });
  const line = steps.map((step, index) => `${round(x(index) + stepWidth / 2)},${round(y(of(step, received)))}`);
  const label = (from: number) => {
    const text = timeText(language, from);
    return hasDays ? text.slice(0, -9) : text.slice(-8, -3);
  };
  const every = Math.ceil(steps.length / LABELS);
  return html`<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words('activity')}">
${[0, top / 2, top].map((value) => html`<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${round(y(value))}" y2="${round(y(value))}"/><text class="axis" x="${PLOT.left - 6}" y="${round(y(value)) + 4}" text-anchor="end">${shortNumber(value)}</text>`)}
${bars}<polyline class="line" points="${line.join(' ')}"/>
${steps.map(({ from }, index) => (index % every === 0 ? html`<text class="axis" x="${round(x(index))}" y="${HEIGHT - 6}">${label(from)}</text>` : null))}
</svg><figcaption>${legend(view)}</figcaption></figure>
<details><summary>${words('figures')}</summary><div class="scroll" tabindex="0" role="region" aria-label="${words('figures')}">${figures(view, steps)}</div></details>`;
}

const SHOWN = [received, accepted, rejected, failed] as const;

function legend({ language }: ConsoleView): readonly Html[] {
  const tones = ['line', 'good', 'warn', 'bad'] as const;
  return SHOWN.map(
    (status, index) =>
      html`<span class="legend"><span class="swatch ${tones[index] ?? ''}"></span>${viewWords(language)(`outbound-${status}`)}</span> `,
  );
}

function figures({ language, words, time, number }: ConsoleView, steps: readonly ActivityStep[]): Html {
  const rows = steps.map(
    ({ from, moves }) =>
      html`<tr><th scope="row">${time(from)}</th>${SHOWN.map((status) => html`<td class="num">${number(moves.get(status) ?? 0)}</td>`)}</tr>\n`,
  );
  return html`<table><thead><tr><th scope="col">${words('from')}</th>${SHOWN.map((status) => html`<th scope="col" class="num">${viewWords(language)(`outbound-${status}`)}</th>`)}</tr></thead><tbody>
${rows}</tbody></table>`;
}

/** A round number at or above, so that the axis can be read, and half of it is whole. */
function niceTop(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  const nice = [1, 2, 4, 6, 10].find((factor) => factor * size >= value) ?? 10;
  return Math.max(2, nice * size);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function shortNumber(value: number): string {
  if (value < 10_000) return String(value);
  return value < 1_000_000 ? `${value / 1_000}k` : `${value / 1_000_000}M`;
}
