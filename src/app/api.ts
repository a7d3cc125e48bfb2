import type { Logger } from 'pino';
import { openArchivedFiles } from '../adapters/archive/archived-files.ts';
import { createAddressList } from '../adapters/credentials/address-list.ts';
import { cacheKeys } from '../adapters/credentials/cached-keys.ts';
import { createKeySecrets } from '../adapters/credentials/key-secrets.ts';
import { createLinkSigning } from '../adapters/credentials/link-signing.ts';
import { createAddressLimiter } from '../adapters/limits/address-limiter.ts';
import { createRateLimiter } from '../adapters/limits/rate-limiter.ts';
import { createSharedRateLimiter } from '../adapters/limits/shared-rate-limiter.ts';
import type { Metrics } from '../adapters/platform/metrics.ts';
import { systemHasher } from '../adapters/platform/platform.ts';
import { sharedBuckets } from '../adapters/sql/stores/shared-buckets.ts';
import { documentSchemas } from '../adapters/ujp/document-schema/document-schema.ts';
import { qrLinkOf } from '../adapters/ujp/gateway/authority-urls.ts';
import { authenticate, checkKey } from '../application/accounts/authenticate.ts';
import { noteKeyUses } from '../application/accounts/note-key-uses.ts';
import { recogniseKey } from '../application/accounts/recognise-key.ts';
import { readChanges } from '../application/changes/read-changes.ts';
import { createWaitingReaders } from '../application/changes/waiting-readers.ts';
import { readCodeList } from '../application/code-lists/read-code-list.ts';
import { shapeOfFile } from '../application/files/document-shape.ts';
import { createHeldFiles, type HeldFiles } from '../application/files/held-files.ts';
import { acknowledgeInbound } from '../application/inbound/acknowledge-inbound.ts';
import { readInbound } from '../application/inbound/read-inbound.ts';
import { readInboundAsUbl } from '../application/inbound/read-inbound-as-ubl.ts';
import { submitOutbound } from '../application/intake/submit-outbound.ts';
import { readArchivedFile } from '../application/maintenance/read-archived-file.ts';
import { cancelOutbound } from '../application/outbound/cancel-outbound.ts';
import { inquireOutbound, inquiryLimit } from '../application/outbound/inquire-outbound.ts';
import { readOutbound } from '../application/outbound/read-outbound.ts';
import type { RateLimiter } from '../application/ports/access.ts';
import type { DocumentReader } from '../application/ports/document-reader.ts';
import type { Timers } from '../application/ports/platform.ts';
import { validateDocument } from '../application/validation/validate-document.ts';
import { viewDocument } from '../application/views/view-document.ts';
import { viewLinks } from '../application/views/view-links.ts';
import type { AdmissionObserver } from '../http/admission.ts';
import { createAdmission } from '../http/admission.ts';
import type { Api } from '../http/api.ts';
import { createRefusalReport } from '../http/refusal-report.ts';
import { createRequestPacing } from '../http/request-pacing.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { AuthorityConnection } from './authority.ts';
import type { Foundation } from './foundation.ts';

/** For what is being received; with what is made of it a process stays below 400 MB, however many large documents come at a time. */
const BODY_BYTES = 96 * 1_048_576;
const ANSWER_BYTES = 256 * 1_048_576;
/** Room for the largest document while others take as much again and leave as much free. */
const LARGEST_DOCUMENTS = 4;
const SECOND_MS = 1_000;
/** Of four connections three are left to calls that are answered at once. */
const CONNECTIONS_PER_WAIT = 4;
/** From one network: an office of accountants behind one address opens fewer. */
const LINKS_PER_MINUTE = 60;

export type ApiNeeds = {
  readonly reader: DocumentReader;
  readonly audit: AuditTrail;
  readonly connection: Pick<AuthorityConnection, 'lists' | 'dryRun' | 'authority' | 'documents'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'memory' | 'submissions'>;
};

/** The use cases that clients reach over HTTP. */
export function createApi(foundation: Foundation, { reader, audit, connection, log, metrics }: ApiNeeds): Api {
  const { config, clock, timers, random, storage } = foundation;
  const { lists, dryRun, authority, documents } = connection;
  const secrets = createKeySecrets({ demoKeys: config.environment === 'demo', random });
  const largestBytes = LARGEST_DOCUMENTS * config.maxDocumentBytes;
  const bodyBudgetBytes = Math.max(BODY_BYTES, largestBytes);
  const answerBudgetBytes = Math.max(ANSWER_BYTES, largestBytes);
  const holdMs = config.deliveryHoldSeconds * SECOND_MS;
  const keys = cacheKeys(storage.keys, clock);
  const limiter = createLimiter(foundation, log);
  const uses = noteKeyUses({ storage, clock, timers });
  const access = { keys, secrets, addresses: createAddressList(), limiter, clock, noteUse: uses.note };
  const archivedFiles = openArchivedFiles(config.archiveDir, timers, (error) =>
    log.error({ err: error }, 'archived file could not be read'),
  );
  const archived = readArchivedFile({ archive: storage.archive, archivedFiles });
  const inbound = readInbound({ ...storage, archived });
  const held = createHeldFiles();
  const shapeOf = shapeOfFile({ ...storage, archived, documents, held });
  const mostWaiting = Math.max(1, Math.floor(config.connections.maxConnections / CONNECTIONS_PER_WAIT));
  const waiting = createWaitingReaders({ changes: storage.changes, timers, mostWaiting });
  const reading = { readOutbound: readOutbound({ ...storage, archived, clock }), readInbound: inbound };
  return {
    ...reading,
    ...viewing(foundation, { ...reading, reader, held }),
    authenticate: authenticate(access),
    authenticateInquiry: authenticate({ ...access, limitOf: inquiryLimit }),
    checkKey: checkKey(access),
    recogniseKey: recogniseKey({ keys, secrets }),
    allowanceOf: limiter.peek,
    submitOutbound: submitOutbound({ storage, reader, hasher: systemHasher, clock, holdMs }),
    validateDocument: validateDocument({ storage, reader, dryRun, authority, clock }),
    inquireOutbound: inquireOutbound({ storage, clock }),
    cancelOutbound: cancelOutbound({ storage, clock }),
    readInboundAsUbl: readInboundAsUbl({
      readInbound: inbound,
      shapeOf,
      documents,
      reader,
      hasher: systemHasher,
      held,
    }),
    shapeOf,
    documentSchemas: documentSchemas(),
    acknowledgeInbound: acknowledgeInbound({ storage, clock }),
    readCodeList: readCodeList({ lists, clock }),
    readChanges: readChanges({ changes: storage.changes, waiting, hasher: systemHasher, clock }),
    endWaits: waiting.stop,
    writeKeyUses: uses.stop,
    recordCall: audit.record,
    clock,
    timers,
    maxDocumentBytes: config.maxDocumentBytes,
    bodyBudgetBytes,
    answerBudgetBytes,
    admission: createAdmission({
      maxWaitMs: config.maxSubmissionWaitMs,
      timers,
      observer: observeSubmissions(metrics, timers, log),
    }),
    pacing: createRequestPacing(timers),
    bodyMemory: metrics.memory('bodies', bodyBudgetBytes),
    answerMemory: metrics.memory('answers', answerBudgetBytes),
  };
}

/** Documents as pages for people, with a key or by a link. */
function viewing(
  { config, clock, random, storage }: Foundation,
  reading: Pick<Api, 'readOutbound' | 'readInbound'> & { readonly reader: DocumentReader; readonly held: HeldFiles },
): Pick<Api, 'viewDocument' | 'viewLinks' | 'linkLimiter'> {
  const { keys, tenants } = storage;
  const signing = createLinkSigning(config.credentialsKeys ?? [], random);
  return {
    viewDocument: viewDocument({
      ...reading,
      formerEnvironment: tenants.formerEnvironment,
      registerLinkOf(environment, euid) {
        const urls = config.authorityUrls[environment];
        return urls === null ? null : qrLinkOf(urls, euid);
      },
    }),
    viewLinks: viewLinks({ ...reading, keys, tenants, signing, clock }),
    linkLimiter: createAddressLimiter(clock, LINKS_PER_MINUTE),
  };
}

function observeSubmissions({ submissions }: ApiNeeds['metrics'], timers: Timers, log: Logger): AdmissionObserver {
  const report = createRefusalReport(timers, (reason, count) => log.warn({ reason, count }, 'submissions refused'));
  return {
    changed: submissions.changed,
    refused() {
      submissions.refused();
      report('More are submitted than can be carried out in time.');
    },
  };
}

/** Only on PostgreSQL several processes share the limits; with the embedded database one process serves the API. */
function createLimiter({ config, clock, engine }: Foundation, log: Logger): RateLimiter {
  const fallback = createRateLimiter(clock);
  if (config.databaseUrl === null) return fallback;
  return createSharedRateLimiter({
    buckets: sharedBuckets(engine),
    clock,
    fallback,
    onFailure: (error) => log.warn({ err: error }, 'traffic limits are counted by this process only'),
  });
}
