import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { Clock } from '../ports/platform.ts';
import type { FailedSearch } from '../ports/storage/search/document-search-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { readEnvironmentPast, rememberEnvironmentPast } from './former-environment.ts';
import type { RequeueOutbound } from './requeue-outbound.ts';

/** Documents that are put back at the same time: they share commits. */
const AT_ONCE = 16;

type Needs = {
  readonly storage: Pick<Storage, 'documentSearch' | 'tenants' | 'audit'>;
  readonly clock: Clock;
  readonly requeue: RequeueOutbound;
};

export type RetriedDocuments = {
  readonly requeued: number;
  /** Left alone: submitted before the environment of their tenant was changed. */
  readonly ofFormerEnvironment: number;
};

export type RetryFailed = {
  /** What would be retried, as it is now: documents that fail later are not among them. */
  readonly look: (
    search: Omit<FailedSearch, 'until'>,
  ) => Promise<{ readonly search: FailedSearch; readonly documents: number }>;
  /** Puts them back into the queue. Those that changed meanwhile are left alone. */
  readonly retry: (search: FailedSearch, progress: (done: number) => void) => Promise<RetriedDocuments>;
};

/** Puts all documents that failed for one reason back into the queue, each in a transaction and with an audit entry of its own. */
export function retryFailed({ storage, clock, requeue }: Needs): RetryFailed {
  const { documentSearch } = storage;
  return {
    async look(given) {
      const search = { ...given, until: clock.now() };
      return { search, documents: await documentSearch.countFailed(search) };
    },
    async retry(search, progress) {
      const readPast = rememberEnvironmentPast(readEnvironmentPast(storage));
      let requeued = 0;
      let ofFormerEnvironment = 0;
      let done = 0;
      let after: DocUid | null = null;
      for (;;) {
        const found = await documentSearch.failed(search, after, AT_ONCE);
        const last = found.at(-1);
        if (last === undefined) return { requeued, ofFormerEnvironment };
        const outcomes = await Promise.all(found.map(({ tenant, docUid }) => requeue(tenant, docUid, readPast)));
        requeued += outcomes.filter((outcome) => outcome === 'requeued').length;
        ofFormerEnvironment += outcomes.filter((outcome) => outcome === 'former-environment').length;
        done += found.length;
        after = last.docUid;
        progress(done);
      }
    },
  };
}
