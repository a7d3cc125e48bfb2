import { oneLine } from './one-line.ts';
import type { Screen } from './screen/screen.ts';

/** Something that the operator must look at, where the screen has colours. */
export type Alarming = { readonly alarming: string | number };

type Cell = string | number | null | Alarming;

/** Rows under their headings. As text it is as wide as its cells; on a screen it fits. */
export type Table = {
  readonly on: (screen: Screen) => string;
  readonly toString: () => string;
};

type Shown = { readonly text: string; readonly isAlarming: boolean };

const GAP = 2;

const BOLD = ['\u001b[1m', '\u001b[22m'] as const;
const RED = ['\u001b[31m', '\u001b[39m'] as const;

export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): Table {
  const shown = rows.map((row) => row.map(showCell));
  const on = ({ columns, isColoured }: Screen) => {
    const widths = fittingWidths(headings, shown, columns);
    return widths === null ? asBlocks(headings, shown, isColoured) : asRows(headings, shown, widths, isColoured);
  };
  return { on, toString: () => on({ columns: null, isColoured: false }) };
}

function showCell(cell: Cell): Shown {
  if (cell === null) return { text: '-', isAlarming: false };
  if (typeof cell === 'object') return { text: oneLine(String(cell.alarming)), isAlarming: true };
  return { text: oneLine(String(cell)), isAlarming: false };
}

/** Cells are wrapped between words: an identifier that is cut is none. Null when the table does not fit all the same. */
function fittingWidths(
  headings: readonly string[],
  rows: readonly (readonly Shown[])[],
  columns: number | null,
): readonly number[] | null {
  const cells = headings.map((heading, at) => [heading, ...rows.map((row) => row[at]?.text ?? '')]);
  const widths = cells.map(widest);
  if (columns === null) return widths;
  const least = cells.map(([heading = '', ...texts]) => widest([heading, ...texts.flatMap((text) => text.split(' '))]));
  let excess = sum(widths) + GAP * (headings.length - 1) - columns;
  while (excess > 0) {
    const spare = widths.map((width, at) => width - (least[at] ?? 0));
    const most = Math.max(...spare);
    if (most <= 0) return null;
    const at = spare.indexOf(most);
    const cut = Math.min(excess, most);
    widths[at] = (widths[at] ?? 0) - cut;
    excess -= cut;
  }
  return widths;
}

function asRows(
  headings: readonly string[],
  rows: readonly (readonly Shown[])[],
  widths: readonly number[],
  isColoured: boolean,
): string {
  const line = (cells: readonly string[]) => cells.join(' '.repeat(GAP)).trimEnd();
  const heading = line(headings.map((text, at) => padded(text, widths[at] ?? 0)));
  const body = rows.flatMap((row) => {
    const cells = row.map(({ text }, at) => wrapped(text, widths[at] ?? 0));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, lineAt) =>
      line(
        row.map(({ isAlarming }, at) => {
          const text = padded(cells[at]?.[lineAt] ?? '', widths[at] ?? 0);
          return coloured(text, isAlarming && isColoured, RED);
        }),
      ),
    );
  });
  return [coloured(heading, isColoured, BOLD), ...body].join('\n');
}

function wrapped(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** Each row as lines of its own, where the screen is too narrow for the whole table. */
function asBlocks(headings: readonly string[], rows: readonly (readonly Shown[])[], isColoured: boolean): string {
  const width = widest(headings);
  const blocks = rows.map((row) =>
    row
      .map(({ text, isAlarming }, at) => {
        const heading = coloured(padded(headings[at] ?? '', width), isColoured, BOLD);
        return `${heading}${' '.repeat(GAP)}${coloured(text, isAlarming && isColoured, RED)}`;
      })
      .join('\n'),
  );
  return blocks.join('\n\n');
}

function coloured(text: string, isColoured: boolean, [begin, end]: readonly [string, string]): string {
  return isColoured ? `${begin}${text}${end}` : text;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

function widthOf(text: string): number {
  return [...text].length;
}

/** A call takes some hundred thousand arguments at most, and a table may have more rows. */
function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, widthOf(text)), 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
