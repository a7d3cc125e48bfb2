import { type Figures, type Ratios, type Row, ratiosOf } from './figures.ts';

const HEADINGS = [
  '',
  'per second',
  'p50',
  'p95',
  'p99',
  'p99.9',
  'processor',
  'resident',
  'peak',
  'ratio',
  'processor ratio',
];
const NO_RATIOS: Ratios = { cost: null, processor: null };
const SEPARATOR = '  ';

type Line = { readonly cells: readonly string[]; readonly note: string | null };

/** Below each scenario stand its baselines, with the scenario's ratios to them. */
function lines(rows: readonly Row[], indent: string): readonly Line[] {
  return rows.flatMap((row) => [
    { cells: cells(row.name, row.figures, NO_RATIOS), note: row.figures.note },
    ...row.baselines.map((baseline) => ({
      cells: cells(`${indent}${baseline.name}`, baseline.figures, ratiosOf(row, baseline)),
      note: baseline.figures.note,
    })),
  ]);
}

function cells(name: string, figures: Figures, ratios: Ratios): readonly string[] {
  const { perSecond, p50Ms, p95Ms, p99Ms, p999Ms, processorMs, residentMiB, peakMiB } = figures;
  return [
    name,
    number(perSecond),
    ...[p50Ms, p95Ms, p99Ms, p999Ms, processorMs].map((ms) => number(ms, ' ms')),
    ...[residentMiB, peakMiB].map((mebibytes) => (mebibytes === null ? '' : `${Math.round(mebibytes)} MiB`)),
    ...[ratios.cost, ratios.processor].map((ratio) => number(ratio)),
  ];
}

/** Three digits say all that a measurement knows. */
function number(value: number | null, unit = ''): string {
  if (value === null) return '';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit}`;
}

/** For a terminal. */
export function textTable(rows: readonly Row[]): string {
  const body = lines(rows, '  ÷ ');
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...body.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const line = (texts: readonly string[]) =>
    texts.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)));
  const shown = body.map(({ cells, note }) => [...line(cells), ...(note === null ? [] : [note])]);
  return [line(HEADINGS), ...shown].map((texts) => texts.join(SEPARATOR).trimEnd()).join('\n');
}

/** For a page. */
export function markdownTable(rows: readonly Row[]): string {
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  const body = lines(rows, '÷ ').map(({ cells: [name = '', ...others], note }) =>
    line([note === null ? name : `${name} (${note})`, ...others]),
  );
  return [line(HEADINGS), `|---|${'---:|'.repeat(HEADINGS.length - 1)}`, ...body].join('\n');
}
