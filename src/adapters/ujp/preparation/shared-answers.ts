import { isAboutAsker } from '../../../application/ports/pace.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { type CacheLimits, createTtlCache } from '../../platform/ttl-cache.ts';

/** The answer that is known under the name, else the one that `ask` brings. */
export type SharedAnswers<Value> = (tenant: Tenant, name: string, ask: () => Promise<Value>) => Promise<Value>;

/**
 * All tenants of an environment share answers, but a request under way only those of one user: another has a line of its own, and would wait in
 * one that may be long, or fail with what the authority has against the other user. Each query is sent with the credentials of the tenant
 * that came first; where it failed because of those, a tenant that waited for it repeats it with its own.
 */
export function createSharedAnswers<Value>(clock: Clock, limits: CacheLimits): SharedAnswers<Value> {
  const answers = createTtlCache<string, Value>(clock, limits);
  const underWay = new Map<string, Promise<Value>>();

  return async ({ environment, eujpId, edb }, name, ask) => {
    const shared = `${environment} ${name}`;
    const known = answers.fresh(shared);
    if (known !== undefined) return known;

    async function askAndKeep(): Promise<Value> {
      const takenAt = clock.now();
      const value = await ask();
      answers.set(shared, value, takenAt);
      return value;
    }

    const ofLine = `${shared} ${eujpId ?? edb}`;
    const begun = underWay.get(ofLine);
    if (begun !== undefined) {
      return begun.catch((error: unknown) => {
        if (isAboutAsker(error)) return askAndKeep();
        throw error;
      });
    }
    const own = askAndKeep().finally(() => underWay.delete(ofLine));
    underWay.set(ofLine, own);
    return own;
  };
}

/** Thrown, so that it is not kept: what is missing now may be there when the document is requeued. */
class NotFound extends Error {
  override readonly name = 'NotFound';
}

export async function required<Value>(answer: Promise<Value | null>): Promise<Value> {
  const value = await answer;
  if (value === null) throw new NotFound();
  return value;
}

export function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}
