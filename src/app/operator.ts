import { join } from 'node:path';
import { isSameFolder, openArchiveFolder } from '../adapters/archive/archive-folder.ts';
import { certificateReading } from '../adapters/credentials/certificate-reading.ts';
import { createKeySealing } from '../adapters/credentials/key-sealing.ts';
import { createKeySecrets } from '../adapters/credentials/key-secrets.ts';
import { createPasswordHashing } from '../adapters/credentials/password-hashing.ts';
import { systemHasher, systemUserName } from '../adapters/platform/platform.ts';
import { refuseRootBeside } from '../adapters/platform/private-files.ts';
import { lockArchive } from '../adapters/sql/sqlite/exclusive-connection.ts';
import { contentSweep } from '../adapters/sql/stores/content-sweep.ts';
import { storedBytes } from '../adapters/sql/stores/recovery/stored-bytes.ts';
import { checkAccount } from '../application/accounts/check-account.ts';
import { manageCredentials } from '../application/accounts/manage-credentials.ts';
import { manageKeys } from '../application/accounts/manage-keys.ts';
import { manageTenants } from '../application/accounts/manage-tenants.ts';
import { removeCredential } from '../application/accounts/remove-credential.ts';
import { resealCredentials } from '../application/accounts/reseal-credentials.ts';
import { recordCommand } from '../application/audit/record-command.ts';
import { sealAuditTrail } from '../application/audit/seal-audit-trail.ts';
import { verifyAuditTrail } from '../application/audit/verify-audit-trail.ts';
import { readCodeList } from '../application/code-lists/read-code-list.ts';
import { OperatorError } from '../application/errors/operator-error.ts';
import { importInbound } from '../application/inbound/import-inbound.ts';
import { listInboundProblems } from '../application/inbound/list-inbound-problems.ts';
import { archiveDocuments } from '../application/maintenance/archive-documents.ts';
import { manageOperators } from '../application/operators/manage-operators.ts';
import { findOutboundTenant } from '../application/outbound/find-outbound-tenant.ts';
import { inspectOutbound } from '../application/outbound/inspect-outbound.ts';
import { referenceRefusals } from '../application/outbound/reference-refusals.ts';
import { reopenOutbound } from '../application/outbound/reopen-outbound.ts';
import { requeueOutbound } from '../application/outbound/requeue-outbound.ts';
import { retryFailed } from '../application/outbound/retry-failed.ts';
import type { DocumentReader } from '../application/ports/document-reader.ts';
import { sendProbeDocument } from '../application/probe/send-probe-document.ts';
import { checkStoredBytes } from '../application/recovery/check-stored-bytes.ts';
import { holdDelivery } from '../application/recovery/hold-delivery.ts';
import { reconcile } from '../application/recovery/reconcile.ts';
import { searchDocuments } from '../application/search/search-documents.ts';
import { requestVoid } from '../application/voiding/request-void.ts';
import type { Operator } from '../cli/operator.ts';
import type { Config } from '../config.ts';
import { toHex } from '../domain/values/hex.ts';
import { randomUuid } from '../domain/values/random-values.ts';
import { type AuthorityConnection, openAuthority } from './authority.ts';
import { DATABASE_FILE, type Foundation } from './foundation.ts';

/** Nobody guesses it, and it can still be typed. */
const PASSWORD_BYTES = 12;

/** Without `stageOutage`, which belongs to the demo environment. */
export type OperatorActions = Omit<Operator, 'stageOutage'>;

/** The use cases of the command line; what they change is recorded in the name of the given user. */
export function createOperator(
  foundation: Foundation,
  reader: DocumentReader,
  operator: string = systemUserName(),
  connection: AuthorityConnection = openAuthority(foundation),
): OperatorActions {
  const { config, clock, timers, random, engine, storage, migrated } = foundation;
  const record = recordCommand({ operator, clock, newId: () => randomUuid(random) });
  const hasher = systemHasher;
  const requeue = requeueOutbound({ storage, clock, record });
  const archive = archiveDocuments({ storage, contents: contentSweep(engine, timers.nextTurn), hasher, clock, record });
  const secrets = createKeySecrets({ demoKeys: config.environment === 'demo', random });
  const sealing = createKeySealing(config.credentialsKeys ?? [], random);
  const { authority, probe, signingCommands, lists, refreshList } = connection;
  return {
    timers,
    migrated,
    tenants: manageTenants({ storage, clock, record }),
    credentials: manageCredentials({ storage, reading: certificateReading, sealing, signingCommands, clock, record }),
    removeCredential: removeCredential({ storage, clock, record }),
    pkcs12Password: config.pkcs12Password,
    checkStoredBytes: checkStoredBytes({
      bytes: storedBytes(engine),
      archive: { folder: config.archiveDir === null ? null : openArchiveFolder(config.archiveDir) },
    }),
    deliveryHold: holdDelivery({ storage, clock, record }),
    reconcile: reconcile({
      storage,
      register: connection.register,
      clock,
      record,
      outcomeWindowMs: config.outcomeWindowSeconds * 1_000,
    }),
    resealCredentials: resealCredentials({ storage, sealing, record }),
    checkAccount: checkAccount({ storage, authority, clock }),
    keys: manageKeys({ storage, secrets, random, clock, record }),
    operators: manageOperators({ storage, passwords: createPasswordHashing(random), clock, record }),
    newPassword: () => toHex(random.bytes(PASSWORD_BYTES)),
    importInbound: importInbound({ storage, reader, hasher, clock, record }),
    listInboundProblems: listInboundProblems({ storage }),
    findOutboundTenant: findOutboundTenant({ storage }),
    searchDocuments: searchDocuments({ storage, clock }),
    requeueOutbound: requeue,
    retryFailed: retryFailed({ storage, clock, requeue }),
    reopenOutbound: reopenOutbound({ storage, clock, record }),
    inspectOutbound: inspectOutbound({ storage }),
    voids: requestVoid({ storage, readList: readCodeList({ lists, clock }), clock, record }),
    archive: ({ folder, ...request }) => archive({ ...openArchive(folder, config), ...request }),
    readAudit: (filter) => storage.audit.read(filter),
    sealAudit: sealAuditTrail({ storage, hasher, clock }).sealNow,
    verifyAudit: verifyAuditTrail({
      seals: storage.auditSeals,
      hasher,
      clock,
      nextTurn: timers.nextTurn,
      retentionDays: config.auditRetentionDays,
    }),
    authorityProbe: probe,
    sendProbeDocument: sendProbeDocument({ storage, probe, reader, clock, random, record, pause: timers.pause }),
    refreshCodeList: refreshList(record),
    referenceRefusals: referenceRefusals({ storage, clock, record }),
  };
}

/** The folder to archive into, and whether the service reads archived files from there. */
function openArchive(given: string | null, { archiveDir, databaseUrl, dataDir }: Config) {
  const folder = given ?? archiveDir;
  if (folder === null) throw new OperatorError('refused', 'No folder of the archive is given.', 'no-archive-folder');
  const isServed = archiveDir !== null && isSameFolder(folder, archiveDir);
  const database = databaseUrl === null ? [join(dataDir, DATABASE_FILE)] : [];
  if (isServed) refuseRootBeside([...database, folder]);
  return { folder: openArchiveFolder(folder), lock: () => lockArchive(folder), isServed };
}
