import type { VerifyAuditTrail } from '../../application/audit/verify-audit-trail.ts';
import type { AuditSealStore } from '../../application/ports/storage/audit-seal-store.ts';
import type { AuditStore } from '../../application/ports/storage/audit-store.ts';
import { parseEdb } from '../../domain/accounts/edb.ts';
import { AUDIT_CHAINS } from '../../domain/audit/audit-seal.ts';
import { parseDocUid } from '../../domain/documents/doc-uid.ts';
import { parseTimeLimit } from '../../domain/values/skopje-day.ts';
import { pageAnswer } from '../answers.ts';
import { type AskedEntries, auditPage } from '../pages/audit-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import type { Route } from '../route.ts';
import type { Answer, SignedVisit, Visit } from '../visit.ts';

type Needs = {
  readonly readAudit: AuditStore['read'];
  readonly lastSeal: AuditSealStore['lastOf'];
  readonly verify: VerifyAuditTrail;
  readonly viewOf: (visit: Visit) => ConsoleView;
};

const MOST_ENTRIES = 100;
const LONGEST_TEXT = 200;

export function auditRoutes({ readAudit, lastSeal, verify, viewOf }: Needs): readonly Route[] {
  /** It reads the whole trail: once at a time is enough. */
  let verifying: ReturnType<VerifyAuditTrail> | null = null;

  async function show(visit: SignedVisit, check: Awaited<ReturnType<VerifyAuditTrail>> | null): Promise<Answer> {
    const text = (name: string) => visit.query.get(name)?.trim().slice(0, LONGEST_TEXT) ?? '';
    const asked: AskedEntries = {
      tenant: text('tenant'),
      key: text('key'),
      document: text('document'),
      since: text('since'),
      until: text('until'),
    };
    const [entries, ...seals] = await Promise.all([
      readAudit({
        tenant: parseEdb(asked.tenant),
        keyId: asked.key === '' ? null : asked.key,
        docUid: parseDocUid(asked.document),
        since: parseTimeLimit(asked.since, 'from'),
        until: parseTimeLimit(asked.until, 'to'),
        limit: MOST_ENTRIES,
      }),
      ...AUDIT_CHAINS.map((chain) => lastSeal(chain)),
    ]);
    const known = seals.filter((seal) => seal !== null);
    return pageAnswer(visit.language, auditPage(viewOf(visit), { asked, entries, seals: known, check }));
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
