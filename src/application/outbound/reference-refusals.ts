import type { AuthorityEnvironment, Tenant } from '../../domain/accounts/tenant.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Clock } from '../ports/platform.ts';
import type { ReferenceRefusal } from '../ports/storage/reference-refusal-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** So long a document type is remembered; then a document with references shows whether the authority has changed its mind. */
const REFERENCE_REFUSAL_KEPT_MS = 7 * 86_400_000;

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

/** The document types on which the authority refuses references, for the operator. */
export type ReferenceRefusals = {
  readonly list: () => Promise<readonly (ReferenceRefusal & { readonly until: number })[]>;
  /** The next document of the type is sent with its references again. */
  readonly clear: (environment: AuthorityEnvironment, docTypeCode: string) => Promise<void>;
};

/** One that is further ahead than it is remembered was written by a wrong clock. */
export async function rememberedRefusals(
  { referenceRefusals }: Pick<Storage, 'referenceRefusals'>,
  now: number,
): Promise<readonly ReferenceRefusal[]> {
  const refusals = await referenceRefusals.list(now - REFERENCE_REFUSAL_KEPT_MS);
  return refusals.filter(({ refusedAt }) => refusedAt - now < REFERENCE_REFUSAL_KEPT_MS);
}

/** The document types that are sent to the tenant's installation without optional references. */
export async function typesWithoutReferences(
  storage: Pick<Storage, 'referenceRefusals'>,
  { environment }: Pick<Tenant, 'environment'>,
  now: number,
): Promise<ReadonlySet<string>> {
  const refusals = await rememberedRefusals(storage, now);
  const ofTheirs = refusals.filter((refusal) => refusal.environment === environment);
  return new Set(ofTheirs.map(({ docTypeCode }) => docTypeCode));
}

export function referenceRefusals({ storage, clock, record }: Needs): ReferenceRefusals {
  return {
    async list() {
      const refusals = await rememberedRefusals(storage, clock.now());
      return refusals.map((refusal) => ({ ...refusal, until: refusal.refusedAt + REFERENCE_REFUSAL_KEPT_MS }));
    },
    async clear(environment, docTypeCode) {
      await storage.transaction(async (tx) => {
        if (!(await tx.referenceRefusals.clear(environment, docTypeCode))) {
          const sentence = `No refusal of references on documents of type ${docTypeCode} is remembered for the environment ${environment}.`;
          throw new OperatorError('not-found', sentence);
        }
        await record(tx, { command: 'references clear', target: `${environment} ${docTypeCode}`, tenant: null });
      });
    },
  };
}
