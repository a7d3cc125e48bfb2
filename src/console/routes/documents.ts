import type { ManageTenants } from '../../application/accounts/manage-tenants.ts';
import { meaningsOf, type SearchDocuments } from '../../application/search/search-documents.ts';
import { pageAnswer } from '../answers.ts';
import { type Asked, documentsPage, type Shown } from '../pages/documents/documents-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import {
  ANY_TEXT,
  askedIn,
  DIRECTION,
  DOC_UID,
  EDB,
  type FilterValues,
  OUTBOUND_ALONE,
  readFilters,
  SINCE,
  STATUS,
  UNTIL,
} from '../requests/read-filters.ts';
import type { Route } from '../route.ts';
import type { Visit } from '../visit.ts';

type Needs = {
  readonly search: SearchDocuments;
  readonly listTenants: ManageTenants['list'];
  readonly viewOf: (visit: Visit) => ConsoleView;
};

const PAGE_SIZE = 50;
const ASKED = ['q', 'direction', 'status', 'code', 'tenant', 'since', 'until'] as const;

const FILTERS = {
  ...{ direction: DIRECTION, tenant: EDB, since: SINCE, until: UNTIL, older: DOC_UID },
  ...{ status: STATUS, code: ANY_TEXT },
};
/** Inbound documents have neither: whoever asks for one means something else. */
const INBOUND_FILTERS: typeof FILTERS = { ...FILTERS, status: OUTBOUND_ALONE, code: OUTBOUND_ALONE };

type Meaning = ReturnType<typeof meaningsOf>[number];

/** The list of documents of all tenants, and the search. */
export function documentListRoute({ search, listTenants, viewOf }: Needs): Route {
  async function find(q: string, wanted: FilterValues<typeof FILTERS>): Promise<Shown> {
    // The first meaning of the text that finds something counts. None leads out of the tenant that is asked for.
    const meanings = meaningsOf(q).filter(
      ({ tenant }) => tenant === undefined || wanted.tenant === null || tenant === wanted.tenant,
    );
    let shown: Shown | null = null;
    for (const meaning of meanings) {
      shown = await findBy(meaning, wanted);
      if (shown.found.documents.length > 0) break;
    }
    return shown ?? findBy({}, wanted);
  }

  async function findBy(meaning: Meaning, wanted: FilterValues<typeof FILTERS>): Promise<Shown> {
    const { direction, tenant, since, until, older, status, code } = wanted;
    const common = { tenant, since, until, olderThan: older, ...meaning };
    if (direction === 'inbound') return { direction, found: await search.inbound(common, PAGE_SIZE) };
    const filter = { ...common, statuses: status === null ? null : [status], failureCode: code };
    return { direction: 'outbound', found: await search.outbound(filter, PAGE_SIZE) };
  }

  return {
    method: 'GET',
    path: '/documents',
    role: 'viewer',
    async handle(visit) {
      const asked: Asked = askedIn(visit.query, ASKED);
      const filters = asked.direction === 'inbound' ? INBOUND_FILTERS : FILTERS;
      const { values, troubles } = readFilters(filters, { ...asked, ...askedIn(visit.query, ['older']) });
      const [shown, tenants] = await Promise.all([troubles.size > 0 ? null : find(asked.q, values), listTenants()]);
      const names = new Map(tenants.map(({ edb, name }) => [edb, name]));
      return pageAnswer(visit.language, documentsPage(viewOf(visit), { asked, troubles, shown, tenantNames: names }));
    },
  };
}
