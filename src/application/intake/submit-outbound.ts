import { listedTaxNumber } from '../../domain/accounts/tax-number.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import type { Caller } from '../accounts/caller.ts';
import { type Problem, plainProblem, problem } from '../errors/problem.ts';
import { TenantChanged } from '../errors/tenant-changed.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import type { IdempotencyRecord, IdempotencyRecordKey } from '../ports/storage/idempotency-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { FileToStore } from '../ports/stored-file.ts';

const IDEMPOTENCY_WINDOW_MS = 3_600_000;

const ENVIRONMENT_CHANGED =
  'The environment of the taxpayer at the tax authority (test, production) was changed while this document came. It was not stored. Submit it again if it is meant for the present one.';

type Needs = {
  readonly storage: Storage;
  readonly reader: Pick<DocumentReader, 'read'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
  /** How long a document stays in status 10, so that it can still be cancelled. */
  readonly holdMs: number;
};

export type SubmitResult = {
  readonly docUid: DocUid;
  readonly status: typeof OUTBOUND_STATUS.received;
  readonly receivedAt: number;
  readonly alreadyExisted: boolean;
};

export type SubmitOutbound = {
  /** Refuses what can be refused before the body is read; returns the idempotency key. */
  readonly checkHeaders: (caller: Caller, idempotencyKey: string | undefined) => string;
  /** A key that is given as bytes is compared as such: two that are read as the same text may be different ones. */
  readonly submit: (
    caller: Caller,
    idempotencyKey: string | Uint8Array,
    body: Uint8Array<ArrayBuffer>,
  ) => Promise<SubmitResult>;
};

type ReadDocument = {
  readonly facts: InvoiceFacts;
  readonly file: FileToStore;
  readonly pdf: FileToStore | null;
};

/** Stores one document, with its first history row, its idempotency record and its audit entry, in one transaction. */
export function submitOutbound({ storage, reader, hasher, clock, holdMs }: Needs): SubmitOutbound {
  async function submit(
    caller: Caller,
    idempotencyKey: string | Uint8Array,
    body: Uint8Array<ArrayBuffer>,
  ): Promise<SubmitResult> {
    const key: IdempotencyRecordKey = {
      tenant: caller.tenant.edb,
      software: caller.key.software,
      idempotencyKey: hasher.sha256(idempotencyKey),
    };
    const earlier = await storage.idempotency.find(key, clock.now());
    if (earlier !== null) return firstAnswer(earlier, hasher.sha256(body));
    const reading = await reader.read(key.tenant, body);
    if (reading.outcome === 'refused') throw problem(reading.code, reading.findings);
    const file = await storage.storeLargeFile(key.tenant, reading.file);
    const pdf = reading.pdf === null ? null : await storage.storeLargeFile(key.tenant, reading.pdf);
    return store(caller, key, { facts: reading.facts, file, pdf });
  }

  async function store(caller: Caller, key: IdempotencyRecordKey, document: ReadDocument): Promise<SubmitResult> {
    const submission = {
      key,
      environment: caller.tenant.environment,
      document: newOutbound(caller, document, holdMs),
      now: clock.now(),
      keptForMs: IDEMPOTENCY_WINDOW_MS,
      auditEntry: caller.call.auditEntry({ httpStatus: 201, docUid: null }),
    };
    const stored = await storage.storeSubmission(submission).catch(refuseOfChanged);
    if (stored !== null) {
      caller.call.markAudited();
      const { docUid, at } = stored;
      return { docUid, status: OUTBOUND_STATUS.received, receivedAt: at, alreadyExisted: false };
    }
    // A concurrent request took the idempotency key after we had looked it up.
    const winner = await storage.idempotency.find(key, clock.now());
    if (winner === null) throw new Error('The idempotency key was taken, and its record is gone.');
    return firstAnswer(winner, document.file.sha256);
  }

  return { checkHeaders, submit };
}

function checkHeaders(caller: Caller, idempotencyKey: string | undefined): string {
  if (!caller.tenant.outboundEnabled) throw outboundOff();
  if (idempotencyKey === undefined || idempotencyKey.trim() === '') {
    throw problem('ERR-2013', 'Send X-Idempotency-Key with a value of your choice that is unique to the document.');
  }
  return idempotencyKey;
}

function outboundOff(): Problem {
  return problem('ERR-9001', 'Outbound over the API is switched off for this tenant. The operator can switch it on.');
}

/** Not to be repeated by itself: what was a trial would be a real invoice in production. */
function refuseOfChanged(error: unknown): never {
  if (!(error instanceof TenantChanged)) throw error;
  if (error.change === 'outbound-off') throw outboundOff();
  throw plainProblem(409, 'Conflict', ENVIRONMENT_CHANGED);
}

function firstAnswer(earlier: IdempotencyRecord, contentSha256: Uint8Array): SubmitResult {
  const same = earlier.contentSha256.every((byte, index) => byte === contentSha256[index]);
  if (!same) {
    throw problem('ERR-2010', 'Within the last hour this X-Idempotency-Key was used for a document with other bytes.');
  }
  return {
    docUid: earlier.docUid,
    status: OUTBOUND_STATUS.received,
    receivedAt: earlier.receivedAt,
    alreadyExisted: true,
  };
}

function newOutbound(caller: Caller, { facts, file, pdf }: ReadDocument, holdMs: number) {
  const partnerEdb = listedTaxNumber(facts.recipient);
  return { facts, partnerEdb, ubl: file, pdf, software: caller.key.software, holdMs, origin: caller.call.origin };
}
