import type { VerifyAuditTrail } from '../../application/audit/verify-audit-trail.ts';
import type { AuditSealStore } from '../../application/ports/storage/audit-seal-store.ts';
import type { AuditStore } from '../../application/ports/storage/audit-store.ts';
import { AUDIT_CHAINS } from '../../domain/audit/audit-seal.ts';
import { pageAnswer } from '../answers.ts';
import { type AskedEntries, auditPage } from '../pages/audit-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import { ANY_TEXT, askedIn, DOC_UID, EDB, readFilters, SINCE, UNTIL } from '../requests/read-filters.ts';
import type { Route } from '../route.ts';
import type { Answer, SignedVisit, Visit } from '../visit.ts';

type Needs = {
  readonly auditPage: AuditStore['page'];
  readonly lastSeal: AuditSealStore['lastOf'];
  readonly verify: VerifyAuditTrail;
  readonly viewOf: (visit: Visit) => ConsoleView;
};

const MOST_ENTRIES = 100;

const FILTERS = { tenant: EDB, key: ANY_TEXT, document: DOC_UID, since: SINCE, until: UNTIL, older: DOC_UID };

export function auditRoutes({ auditPage: readPage, lastSeal, verify, viewOf }: Needs): readonly Route[] {
  /** It reads the whole trail: once at a time is enough. */
  let verifying: ReturnType<VerifyAuditTrail> | null = null;

  async function show(visit: SignedVisit, check: Awaited<ReturnType<VerifyAuditTrail>> | null): Promise<Answer> {
    const asked: AskedEntries = askedIn(visit.query, ['tenant', 'key', 'document', 'since', 'until']);
    const { values, troubles } = readFilters(FILTERS, { ...asked, ...askedIn(visit.query, ['older']) });
    const { tenant, key, document, since, until, older } = values;
    const filter = { tenant, keyId: key, docUid: document, since, until, limit: MOST_ENTRIES };
    const [page, ...seals] = await Promise.all([
      troubles.size > 0 ? null : readPage(filter, older),
      ...AUDIT_CHAINS.map((chain) => lastSeal(chain)),
    ]);
    const known = seals.filter((seal) => seal !== null);
    return pageAnswer(visit.language, auditPage(viewOf(visit), { asked, troubles, page, seals: known, check }));
  }

  return [
    { method: 'GET', path: '/audit', role: 'viewer', handle: (visit) => show(visit, null) },
    {
      method: 'POST',
      path: '/audit',
      role: 'viewer',
      async handle(visit) {
        verifying ??= verify([], () => undefined).finally(() => {
          verifying = null;
        });
        return show(visit, await verifying);
      },
    },
  ];
}
