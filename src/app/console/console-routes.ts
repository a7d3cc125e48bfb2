import type { Logger } from 'pino';
import { openArchivedFiles } from '../../adapters/archive/archived-files.ts';
import type { Metrics } from '../../adapters/platform/metrics.ts';
import { systemHasher } from '../../adapters/platform/platform.ts';
import { qrLinkOf } from '../../adapters/ujp/gateway/authority-urls.ts';
import { checkAccount } from '../../application/accounts/check-account.ts';
import { readAuditPage } from '../../application/audit/read-audit-page.ts';
import { verifyAuditTrail } from '../../application/audit/verify-audit-trail.ts';
import { readCodeList } from '../../application/code-lists/read-code-list.ts';
import { createHeldFiles } from '../../application/files/held-files.ts';
import { readInbound } from '../../application/inbound/read-inbound.ts';
import { readArchivedFile } from '../../application/maintenance/read-archived-file.ts';
import { readOverview } from '../../application/operations/read-overview.ts';
import { readTenantState } from '../../application/operations/read-tenant-state.ts';
import type { ConsoleEntry } from '../../application/operators/operator-sessions.ts';
import { inspectOutbound } from '../../application/outbound/inspect-outbound.ts';
import { readOutbound } from '../../application/outbound/read-outbound.ts';
import type { DocumentReader } from '../../application/ports/document-reader.ts';
import { searchDocuments } from '../../application/search/search-documents.ts';
import { viewDocument } from '../../application/views/view-document.ts';
import type { ConsoleView } from '../../console/pages/view.ts';
import type { Route } from '../../console/route.ts';
import { auditRoutes } from '../../console/routes/audit.ts';
import { type DocumentNeeds, documentRoutes } from '../../console/routes/document.ts';
import { documentListRoute } from '../../console/routes/documents.ts';
import { keyRoutes } from '../../console/routes/keys.ts';
import { overviewRoute } from '../../console/routes/overview.ts';
import { systemRoute } from '../../console/routes/system.ts';
import { tenantRoutes } from '../../console/routes/tenants.ts';
import type { Visit } from '../../console/visit.ts';
import { FAILURES_TO_TELL } from '../../domain/accounts/failures-in-a-row.ts';
import type { AuthorityConnection } from '../authority.ts';
import type { Foundation } from '../foundation.ts';
import { consoleActions } from './console-actions.ts';

export type RouteNeeds = {
  readonly foundation: Foundation;
  readonly reader: DocumentReader;
  readonly connection: Pick<AuthorityConnection, 'authority' | 'lists'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'render'>;
  /** Lines of the log of this process, the newest first. */
  readonly recentErrors: () => readonly string[];
  readonly entryOf: ConsoleEntry;
  readonly viewOf: (visit: Visit) => ConsoleView;
};

/** The pages of the console with the use cases behind them. */
export function consoleRoutes(needs: RouteNeeds): readonly Route[] {
  const { foundation, connection, entryOf, viewOf } = needs;
  const { config, storage, clock, timers } = foundation;
  const readList = readCodeList({ lists: connection.lists, clock });
  const actionsOf = consoleActions(foundation, entryOf, readList);
  const common = { actionsOf, viewOf };
  const listTenants = () => storage.tenants.list();
  const metrics = async () => (await needs.metrics.render()).text;
  return [
    overviewRoute({ readOverview: readOverview({ storage, clock, nextTurn: timers.nextTurn }), metrics, viewOf }),
    documentListRoute({ search: searchDocuments({ storage, clock }), listTenants, viewOf }),
    ...documentRoutes({
      ...common,
      ...reading(needs),
      findTenant: (edb) => storage.tenants.find(edb),
      formatsOf: {
        outbound: (tenant, docUid) => storage.outbound.formats(tenant, docUid),
        inbound: (tenant, docUid) => storage.inbound.formats(tenant, docUid),
      },
      voidReasons: (tenant) => readList(tenant, 'void-reasons'),
    }),
    ...tenantRoutes({
      ...common,
      async listTenants() {
        const [tenants, failing, credentials, hold] = await Promise.all([
          listTenants(),
          storage.deliveries.failing(FAILURES_TO_TELL),
          storage.credentials.facts(),
          storage.deliveryHold.find(),
        ]);
        const validTo = new Map(credentials.map((credential) => [credential.tenant, credential.validTo]));
        return { tenants, failing, validTo, hold };
      },
      readTenantState: readTenantState({ storage }),
      checkAccount: checkAccount({ storage, authority: connection.authority, clock }),
      paceMs: config.authorityPaceMs,
    }),
    ...auditRoutes({
      auditPage: readAuditPage({ audit: storage.audit, nextTurn: timers.nextTurn }),
      lastSeal: (chain) => storage.auditSeals.lastOf(chain),
      verify: verifyAuditTrail({
        seals: storage.auditSeals,
        hasher: systemHasher,
        clock,
        nextTurn: timers.nextTurn,
        retentionDays: config.auditRetentionDays,
      }),
      viewOf,
    }),
    systemRoute({
      readSystem: async () => ({
        processes: await storage.processes.list(),
        errors: needs.recentErrors(),
        hold: await storage.deliveryHold.find(),
      }),
      metrics,
      viewOf,
    }),
    ...keyRoutes({ ...common, listKeys: (tenant) => storage.keys.list(tenant), listTenants }),
  ];
}

type Reading = Pick<
  DocumentNeeds,
  'inspectOutbound' | 'readOutbound' | 'readInbound' | 'viewDocument' | 'readAudit' | 'nextTurn'
>;

function reading({ foundation, reader, log }: RouteNeeds): Reading {
  const { config, storage, clock, timers } = foundation;
  const archivedFiles = openArchivedFiles(config.archiveDir, timers, (error) =>
    log.error({ err: error }, 'archived file could not be read'),
  );
  const archived = readArchivedFile({ archive: storage.archive, archivedFiles });
  const outbound = readOutbound({ ...storage, archived, clock });
  const inbound = readInbound({ ...storage, archived });
  return {
    inspectOutbound: inspectOutbound({ storage }),
    readOutbound: outbound,
    readInbound: inbound,
    viewDocument: viewDocument({
      readOutbound: outbound,
      readInbound: inbound,
      reader,
      held: createHeldFiles(),
      formerEnvironment: storage.tenants.formerEnvironment,
      registerLinkOf(environment, euid) {
        const urls = config.authorityUrls[environment];
        return urls === null ? null : qrLinkOf(urls, euid);
      },
    }),
    readAudit: (filter) => storage.audit.read(filter),
    nextTurn: timers.nextTurn,
  };
}
