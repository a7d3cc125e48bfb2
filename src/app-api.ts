import type { Logger } from 'pino';
import { sharedBuckets } from './adapters/sql/shared-buckets.ts';
import { createAddressList } from './adapters/system/address-list.ts';
import type { AuditBuffer } from './adapters/system/audit-buffer.ts';
import { cacheKeys } from './adapters/system/cached-keys.ts';
import { createKeySecrets } from './adapters/system/key-secrets.ts';
import { systemHasher } from './adapters/system/platform.ts';
import { createRateLimiter } from './adapters/system/rate-limiter.ts';
import { createSharedRateLimiter } from './adapters/system/shared-rate-limiter.ts';
import type { Foundation } from './app.ts';
import { acknowledgeInbound } from './application/acknowledge-inbound.ts';
import { authenticate } from './application/authenticate.ts';
import type { ReadCachedCodeList } from './application/cached-code-list.ts';
import { cancelOutbound } from './application/cancel-outbound.ts';
import type { DocumentReader } from './application/document-reader.ts';
import type { RateLimiter } from './application/ports.ts';
import { readCodeList } from './application/read-code-list.ts';
import { readInbound } from './application/read-inbound.ts';
import { readOutbound } from './application/read-outbound.ts';
import { submitOutbound } from './application/submit-outbound.ts';
import type { Api } from './http/api.ts';

const BODY_BUDGET_BYTES = 256 * 1_048_576;
const SECOND_MS = 1_000;

export type ApiNeeds = {
  readonly reader: DocumentReader;
  readonly audit: AuditBuffer;
  readonly lists: ReadCachedCodeList;
  readonly log: Logger;
};

/** What clients can do over HTTP. */
export function createApi(foundation: Foundation, { reader, audit, lists, log }: ApiNeeds): Api {
  const { config, clock, storage } = foundation;
  const secrets = createKeySecrets({ demoKeys: config.environment === 'demo' });
  const holdMs = config.deliveryHoldSeconds * SECOND_MS;
  return {
    authenticate: authenticate({
      keys: cacheKeys(storage.keys, clock),
      secrets,
      addresses: createAddressList(),
      limiter: limiterFor(foundation, log),
      clock,
    }),
    submitOutbound: submitOutbound({ storage, reader, hasher: systemHasher, clock, holdMs }),
    readOutbound: readOutbound(storage),
    cancelOutbound: cancelOutbound({ storage, clock }),
    readInbound: readInbound(storage),
    acknowledgeInbound: acknowledgeInbound({ storage, clock }),
    readCodeList: readCodeList({ lists, clock }),
    recordCall: audit.record,
    clock,
    maxDocumentBytes: config.maxDocumentBytes,
    bodyBudgetBytes: Math.max(BODY_BUDGET_BYTES, 2 * config.maxDocumentBytes),
  };
}

/** The embedded database is for one process, which counts for itself. */
function limiterFor({ config, clock, engine }: Foundation, log: Logger): RateLimiter {
  const alone = createRateLimiter(clock);
  if (config.databaseUrl === null) return alone;
  return createSharedRateLimiter({
    buckets: sharedBuckets(engine),
    clock,
    alone,
    onFailure: (error) => log.warn({ err: error }, 'traffic is counted by this process alone'),
  });
}
