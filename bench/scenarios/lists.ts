import type { Bench } from '../bench.ts';
import { partnerOf, TENANT, timeOf } from '../growth/shape.ts';
import type { Plan } from '../load/plan.ts';
import type { Baseline, Figures } from '../report/figures.ts';
import type { EngineName } from '../service/databases.ts';
import type { OpenedInterface } from '../service/opened-interface.ts';
import type { Settings } from '../settings.ts';
import { closed, measureLoad } from './measure-load.ts';
import { API, bareAnswers, planOf, sameReads } from './reads.ts';
import type { Scenario } from './scenario.ts';

const PAGE_SIZE = 100;
/** The rows of a page, found by the primary key: no list can be read with less. */
const ROWS_OF_A_PAGE = `select * from outbound where tenant = $1 order by id desc limit ${PAGE_SIZE}`;

const FILTERS: Readonly<Record<string, (documents: number) => string>> = {
  'no filter': () => '',
  'one status': () => '&status=40',
  'three statuses': () => '&status=10&status=20&status=30',
  partner: () => `&partnerEdb=${partnerOf(0)}`,
  dates: (documents) => `&dateFrom=${instant(documents / 4)}&dateTo=${instant((documents * 3) / 4)}`,
};

/** The shortest way to a page and the longest: what a quick run looks at. */
const QUICK_PAGES: readonly string[] = ['no filter, first page', 'three statuses, last page'];

/** Pages of 100 with their exact counts, of a taxpayer with few documents and with very many. */
export function listScenarios({ mode, few, many }: Settings, engine: EngineName): readonly Scenario<OpenedInterface>[] {
  const measured = new Map<string, Figures>();
  const pages = Object.keys(FILTERS)
    .flatMap((filter) => (['first', 'last'] as const).map((which) => ({ filter, which })))
    .filter((page) => mode !== 'quick' || QUICK_PAGES.includes(keyOf(page)));
  return [few, ...(many === null ? [] : [many])].flatMap((documents) =>
    pages.map((page) => list({ documents, few, ...page, engine, measured })),
  );
}

function keyOf({ filter, which }: Pick<Wanted, 'filter' | 'which'>): string {
  return `${filter}, ${which} page`;
}

type Wanted = {
  readonly documents: number;
  readonly few: number;
  readonly filter: string;
  readonly which: 'first' | 'last';
  readonly engine: EngineName;
  /** The figures of the smaller lists, to compare the larger ones with. */
  readonly measured: Map<string, Figures>;
};

function list({ documents, few, filter, which, engine, measured }: Wanted): Scenario<OpenedInterface> {
  const key = keyOf({ filter, which });
  return {
    name: `list of ${documents.toLocaleString('en')}, ${key}, ${engine}`,
    compared: 'perSecond',
    async measure(bench, opened) {
      await opened.growTo(documents);
      const figures = await measureLoad(
        bench,
        opened.service().pid,
        await pagePlan(opened, documents, filter, which),
        closed(bench),
      );
      if (documents === few) measured.set(key, figures);
      return figures;
    },
    async baselines(bench, opened) {
      const smaller = documents === few ? undefined : measured.get(key);
      return [
        ...(smaller === undefined ? [] : [{ name: `the same of ${few.toLocaleString('en')}`, figures: smaller }]),
        ...(await floors(bench, opened, await pagePlan(opened, documents, filter, which))),
      ];
    },
  };
}

async function floors(bench: Bench, opened: OpenedInterface, plan: Plan): Promise<readonly Baseline[]> {
  let rows: Baseline | null = null;
  const figures = await bench.once(`rows of a page, ${opened.database.engine}`, async () => {
    rows = await sameReads(bench, opened, [{ text: ROWS_OF_A_PAGE, values: [TENANT] }]);
    return rows.figures;
  });
  return [await bareAnswers(bench, opened, plan), { name: `${opened.database.engine} alone, a page of rows`, figures }];
}

async function pagePlan(
  opened: OpenedInterface,
  documents: number,
  filter: string,
  which: 'first' | 'last',
): Promise<Plan> {
  const query = `pageSize=${PAGE_SIZE}${FILTERS[filter]?.(documents) ?? ''}`;
  const path = (page: number) => `${API}/outbound?page=${page}&${query}`;
  const { totalCount } = (await opened.call(opened.owner, path(1))) as { readonly totalCount: number };
  const page = which === 'first' ? 1 : Math.ceil(totalCount / PAGE_SIZE);
  return planOf(opened, opened.owner, [path(page)]);
}

function instant(seq: number): string {
  return encodeURIComponent(new Date(timeOf(Math.floor(seq))).toISOString());
}
