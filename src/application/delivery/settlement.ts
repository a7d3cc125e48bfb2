import type { LeftOutReferences } from '../../domain/documents/left-out-references.ts';
import type { AuthorityError } from '../../domain/documents/outbound-document.ts';
import type { OutboundEvent } from '../../domain/documents/outbound-status.ts';
import type { Failure } from '../errors/failure-catalogue.ts';
import type { Registration } from '../ports/authority.ts';
import type { AttemptEnd, RecordedAttempt } from '../ports/storage/delivery-store.ts';

/** An attempt that is under way. */
export type BegunAttempt = Pick<RecordedAttempt, 'act' | 'startedAt'> & {
  /** Its number where it is on record already. */
  readonly ordinal: number | null;
  /** The moves that lead to status 30 where they have not happened yet. */
  readonly path: readonly OutboundEvent[];
};

/** What an attempt leaves on record beside its times. */
export type AttemptRecord = Omit<AttemptEnd, 'endedAt'>;

/** How an attempt ended. */
export type Settlement =
  | { readonly result: 'registered'; readonly registration: Registration }
  /** The authority's final no. */
  | {
      readonly result: 'rejected';
      readonly failure: Failure;
      readonly errors: readonly AuthorityError[];
      readonly record: AttemptRecord;
    }
  /** The authority certainly does not have the document: tried again after a pause, or given up after the last one. */
  | {
      readonly result: 'failed';
      readonly failure: Failure;
      readonly record: AttemptRecord;
      readonly isAccountRefused: boolean;
      /** This process alone may be to blame: another one tries soon, and it does not count as a failure of the document. */
      readonly isLocal: boolean;
    }
  /**
   * The authority refused the request or failed on it, and certainly does not have the document: tried again as the tenant's queue
   * allows.
   */
  | {
      readonly result: 'request-refused';
      readonly failure: Failure;
      readonly record: AttemptRecord;
      /** When the request was sent, where a look-up has shown only later what came of it. */
      readonly sentAt: number | null;
    }
  /** The authority rejected it because of references that are optional: prepared anew without them. */
  | {
      readonly result: 'references-refused';
      readonly failure: Failure;
      readonly record: AttemptRecord;
      readonly leaveOut: LeftOutReferences;
    }
  /** It was rejected before, the operator wants it sent again, and the authority does not have it: prepared anew. */
  | { readonly result: 'reopened'; readonly record: AttemptRecord }
  /** Nobody knows yet whether the authority has it: looked up at `dueAt`. Without a record where it says nothing new. */
  | {
      readonly result: 'unknown';
      readonly failure: Failure;
      readonly record: AttemptRecord | null;
      readonly isAccountRefused: boolean;
      readonly dueAt: number;
    };
