import type { Edb } from './edb.ts';

/**
 * One failed attempt, or a second, is ordinary. From the third on the operator is told: a document is tried for two days before it
 * fails, which is too late to hear of it.
 */
export const FAILURES_TO_TELL = 3;

/** Counts the attempts of each tenant that failed one after another, and says when that begins and ends. */
export class FailuresInARow {
  readonly #failures = new Map<Edb, number>();

  /** `begins` with the failure from which on it is told. */
  failed(tenant: Edb): 'begins' | null {
    const failures = (this.#failures.get(tenant) ?? 0) + 1;
    this.#failures.set(tenant, failures);
    return failures === FAILURES_TO_TELL ? 'begins' : null;
  }

  /** The authority has dealt with a document; `ends` if it was told that it does not. */
  succeeded(tenant: Edb): 'ends' | null {
    const failures = this.#failures.get(tenant) ?? 0;
    this.#failures.delete(tenant);
    return failures >= FAILURES_TO_TELL ? 'ends' : null;
  }

  /** Of what has ended in another way, as by a cancellation or in another process, nobody hears here. */
  keepOnly(isStillTried: (tenant: Edb) => boolean): void {
    for (const tenant of this.#failures.keys()) if (!isStillTried(tenant)) this.#failures.delete(tenant);
  }

  /** How many tenants are told of. */
  get tenants(): number {
    return [...this.#failures.values()].filter((failures) => failures >= FAILURES_TO_TELL).length;
  }
}
