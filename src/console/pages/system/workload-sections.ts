import type { ConsoleKey } from '../../../domain/messages/console-texts.ts';
import { viewWords } from '../../../domain/messages/view-texts.ts';
import { quantityText } from '../../../domain/views/shown-numbers.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import { filled } from '../../../http/pages/page.ts';
import { badge, type Tone } from '../marks.ts';
import { durationText } from '../shown-durations.ts';
import type { ConsoleView } from '../view.ts';
import { type Due, dueWork, QUEUES, TASKS } from './late-work.ts';
import type { Figures } from './system-figures.ts';

/** Of what there may be. */
const [NEARLY_USED, USED] = [0.7, 0.9];

type Row = { readonly name: string; readonly figures: readonly (Html | null)[] };

/** Each figure has the head of its column too, for screens where three columns have no room. */
function table(name: string, heads: readonly string[], rows: readonly Row[]): Html {
  const shown = rows.map((row) => {
    const cells = row.figures.map((figure, index) =>
      figure === null
        ? html`<td></td>`
        : html`<td class="num" data-name="${heads[index] ?? ''}"><span>${figure}</span></td>`,
    );
    return html`<tr><th scope="row">${row.name}</th>${cells}</tr>\n`;
  });
  return html`<table class="stacked"><thead><tr><th scope="col">${name}</th>${heads.map((head) => html`<th scope="col" class="num">${head}</th>`)}</tr></thead><tbody>
${shown}</tbody></table>`;
}

function longestDue({ words, language }: ConsoleView, { seconds, isLate }: Due): Html {
  if (seconds === null || seconds < 1) return html`<span class="quiet">${words('not-due')}</span>`;
  const text = durationText(language, seconds * 1_000);
  return isLate ? badge('bad', text) : html`${text}`;
}

/** What waits to be delivered, by how far it has come. */
export function queueSection(view: ConsoleView, figures: Figures): Html {
  const { words, language, number } = view;
  const due = dueWork(figures);
  const rows: Row[] = QUEUES.map((status) => {
    const documents = figures.get('outbound_documents', String(status));
    const count = html`${documents === null ? '–' : number(documents)}`;
    const name = `${status} ${viewWords(language)(`outbound-${status}`)}`;
    return { name, figures: [count, longestDue(view, due.documents[status])] };
  });
  rows.push({ name: words('queue-containers'), figures: [null, longestDue(view, due.containers)] });
  const heads = [words('in-queue'), words('longest-due')];
  return html`<p class="quiet small">${words('queues-means')}</p>${table(words('queue'), heads, rows)}`;
}

export function taskSection(view: ConsoleView, figures: Figures): Html {
  const { words, number } = view;
  const due = dueWork(figures).tasks;
  const rows = TASKS.map((task) => {
    const failing = figures.get('recurring_tasks_failing', task) ?? 0;
    const count = html`${failing === 0 ? '0' : badge('warn', number(failing))} / ${number(figures.get('recurring_tasks', task) ?? 0)}`;
    return { name: words(`task-${task}`), figures: [count, longestDue(view, due[task])] };
  });
  const heads = [words('task-failing'), words('longest-due')];
  return html`<p class="quiet small">${words('tasks-means')}</p>${table(words('task'), heads, rows)}`;
}

type Budget = {
  readonly name: ConsoleKey;
  readonly used: number | null;
  readonly limit: number | null;
  readonly isBytes: boolean;
};

/** What this process may use, and how much of it it does. */
export function budgetSection(view: ConsoleView, figures: Figures): Html {
  const { words, language, number } = view;
  const shown = (value: number, isBytes: boolean) => (isBytes ? sizeText(language, value) : number(value));
  const rows = budgetsOf(figures).flatMap(({ name, used, limit, isBytes }) => {
    if (used === null || limit === null || limit === 0) return [];
    const share = used / limit;
    const tone: Tone = share >= USED ? 'bad' : share >= NEARLY_USED ? 'warn' : 'good';
    const amounts = html`${shown(used, isBytes)} / ${shown(limit, isBytes)}`;
    return [{ name: words(name), figures: [amounts, badge(tone, `${number(Math.round(share * 100))} %`)] }];
  });
  const size = figures.get('database_size_bytes');
  return html`<p class="quiet small">${words('of-this-process')}</p>${table(words('budget'), [words('used'), '%'], rows)}
<p>${size === null ? null : filled(words('database-size'), { size: sizeText(language, size) })} ${filled(words('audit-waiting'), { entries: number(figures.get('audit_entries_waiting') ?? 0) })}</p>`;
}

function budgetsOf(figures: Figures): readonly Budget[] {
  const memory = (['bodies', 'answers', 'deliveries'] as const).map((of) => ({
    name: `budget-${of}` as const,
    used: figures.get('memory_held_bytes', of),
    limit: figures.get('memory_limit_bytes', of),
    isBytes: true,
  }));
  const [free, disk] = [figures.get('database_disk_free_bytes'), figures.get('database_disk_size_bytes')];
  return [
    ...memory,
    {
      name: 'budget-submissions',
      used: figures.get('submissions_under_way'),
      limit: figures.get('submissions_limit'),
      isBytes: false,
    },
    {
      name: 'budget-connections',
      used: figures.get('database_connections', 'busy'),
      limit: figures.get('database_connections_limit'),
      isBytes: false,
    },
    { name: 'budget-disk', used: free === null || disk === null ? null : disk - free, limit: disk, isBytes: true },
  ];
}

const SIZES = [
  { unit: 'GiB', bytes: 2 ** 30 },
  { unit: 'MiB', bytes: 2 ** 20 },
  { unit: 'KiB', bytes: 2 ** 10 },
] as const;

function sizeText(language: ConsoleView['language'], bytes: number): string {
  const { unit, bytes: of } = SIZES.find((one) => bytes >= one.bytes) ?? SIZES[2];
  const amount = bytes / of;
  const shown = amount >= 10 || amount === 0 ? String(Math.round(amount)) : amount.toFixed(1).replace(/\.0$/u, '');
  return `${quantityText(language, shown)} ${unit}`;
}
