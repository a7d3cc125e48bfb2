import type { MakeCall, WithSignal } from './call.ts';
import { sha256Of, toHex } from './downloaded-file.ts';
import { ProblemError, UnexpectedAnswerError } from './errors.ts';
import type { CancelResult, SubmitResult, Validation } from './generated/answers.ts';
import { readJson } from './read-answer.ts';
import type { DocumentBytes } from './settings.ts';

export type Submitted = SubmitResult & { readonly docUid: string; readonly idempotencyKey: string };

export type SubmitOptions = WithSignal & {
  /** Kept by the caller before the call if a crash must not lead to a second document; by default a new one. */
  readonly idempotencyKey?: string;
};

export type ResumeOptions = WithSignal & {
  /** The key that was kept before the submission whose outcome is in doubt. */
  readonly idempotencyKey: string;
  /** Documents with the same bytes that the caller knows from other submissions. */
  readonly isKnown?: (docUid: string) => boolean | Promise<boolean>;
};

const KEY_BYTES = 16;
const CANCELLED = 60;
const ALREADY_CANCELLED = 'ERR-3004';

/** Made by nobody else, and of characters that every system can keep. */
export function newIdempotencyKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}

export function createSubmissions(call: MakeCall) {
  async function submit(document: DocumentBytes, options: SubmitOptions = {}): Promise<Submitted> {
    const { signal, idempotencyKey = newIdempotencyKey() } = options;
    return call(
      'submitOutbound',
      { document, signal },
      {
        idempotencyKey,
        isRepeatable: true,
        read: (answer) => {
          const result = readJson(answer) as SubmitResult;
          if (typeof result.docUid !== 'string') {
            throw new UnexpectedAnswerError('The answer to the submission has no docUid.', answer.call);
          }
          return { ...result, docUid: result.docUid, idempotencyKey };
        },
      },
    );
  }

  /**
   * For a submission of an earlier run whose answer was not kept. The service remembers a key for one hour, so the document is looked
   * for by its bytes first; what is still on its way in that hour is met by the key.
   */
  async function resumeSubmission(document: DocumentBytes, options: ResumeOptions): Promise<Submitted> {
    const { signal, idempotencyKey, isKnown = () => false } = options;
    const { items } = await call('inquireOutbound', { query: { sha256: await sha256Of(document) }, signal });
    for (const { docUid, status, createdAt } of items) {
      if (docUid === null || (await isKnown(docUid))) continue;
      return { docUid, status, receivedAt: createdAt, alreadyExisted: true, idempotencyKey };
    }
    return submit(document, { signal, idempotencyKey });
  }

  /** A repeat that finds the document cancelled has found its own work. */
  async function cancel(docUid: string, { signal }: WithSignal = {}): Promise<CancelResult> {
    try {
      return await call('cancelOutbound', { path: { docUid }, signal }, { isRepeatable: true });
    } catch (failure) {
      const isOwnWork = failure instanceof ProblemError && failure.earlierTryLost && failure.code === ALREADY_CANCELLED;
      if (isOwnWork) return { docUid, status: CANCELLED };
      throw failure;
    }
  }

  /** What would become of the document; nothing is stored or sent. */
  function validate(document: DocumentBytes, { signal }: WithSignal = {}): Promise<Validation> {
    return call('validateDocument', { document, signal }, { isRepeatable: true });
  }

  return { submit, resumeSubmission, cancel, validate };
}
