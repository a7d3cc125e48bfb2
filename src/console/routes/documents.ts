import type { ManageTenants } from '../../application/accounts/manage-tenants.ts';
import { meaningsOf, type SearchDocuments } from '../../application/search/search-documents.ts';
import { parseEdb } from '../../domain/accounts/edb.ts';
import { parseDocUid } from '../../domain/documents/doc-uid.ts';
import { isOutboundStatus } from '../../domain/documents/outbound-status.ts';
import { parseTimeLimit } from '../../domain/values/skopje-day.ts';
import { pageAnswer } from '../answers.ts';
import { type Asked, documentsPage, type Shown } from '../pages/documents/documents-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import type { Route } from '../route.ts';
import type { Visit } from '../visit.ts';

type Needs = {
  readonly search: SearchDocuments;
  readonly listTenants: ManageTenants['list'];
  readonly viewOf: (visit: Visit) => ConsoleView;
};

const PAGE_SIZE = 50;
const LONGEST_TEXT = 500;

/** The list of documents of all tenants, and the search. */
export function documentListRoute({ search, listTenants, viewOf }: Needs): Route {
  async function find(asked: Asked, olderThan: string): Promise<Shown> {
    const common = {
      tenant: parseEdb(asked.tenant),
      since: parseTimeLimit(asked.since, 'from'),
      until: parseTimeLimit(asked.until, 'to'),
      olderThan: parseDocUid(olderThan),
    };
    // The first meaning of the text that finds something counts.
    const meanings = asked.q === '' ? [{}] : meaningsOf(asked.q);
    let shown: Shown | null = null;
    for (const meaning of meanings) {
      shown = await findBy({ ...common, ...meaning }, asked);
      if (shown.found.documents.length > 0) break;
    }
    return shown ?? findBy(common, asked);
  }

  async function findBy(wanted: Parameters<SearchDocuments['inbound']>[0], asked: Asked): Promise<Shown> {
    if (asked.direction === 'inbound') return { direction: 'inbound', found: await search.inbound(wanted, PAGE_SIZE) };
    const status = Number(asked.status);
    const statuses = asked.status !== '' && isOutboundStatus(status) ? [status] : null;
    const filter = { ...wanted, statuses, failureCode: asked.code === '' ? null : asked.code };
    return { direction: 'outbound', found: await search.outbound(filter, PAGE_SIZE) };
  }

  return {
    method: 'GET',
    path: '/documents',
    role: 'viewer',
    async handle(visit) {
      const text = (name: string) => visit.query.get(name)?.trim().slice(0, LONGEST_TEXT) ?? '';
      const asked: Asked = {
        q: text('q'),
        direction: text('direction') === 'inbound' ? 'inbound' : 'outbound',
        status: text('status'),
        code: text('code'),
        tenant: text('tenant'),
        since: text('since'),
        until: text('until'),
      };
      const [shown, tenants] = await Promise.all([find(asked, text('older')), listTenants()]);
      const names = new Map(tenants.map(({ edb, name }) => [edb, name]));
      return pageAnswer(visit.language, documentsPage(viewOf(visit), asked, shown, names));
    },
  };
}
