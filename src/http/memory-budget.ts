import type { Edb } from '../domain/accounts/edb.ts';
import type { PlainSentence } from '../domain/messages/detail.ts';
import { createFairShares } from '../domain/operations/fair-shares.ts';
import { unavailableProblem } from './answers/problem-response.ts';

/** The part of a budget that one body uses. */
export type MemoryShare = {
  /** Throws a problem when a body of this size would not fit at the moment. */
  readonly check: (bytes: number) => void;
  /** Charges the memory that the body takes from now on, in all; throws a problem when it does not fit. */
  readonly hold: (bytes: number) => void;
  readonly release: () => void;
};

export type MemoryBudget = { readonly shareOf: (tenant: Edb) => MemoryShare };

/** Hears how much memory is held in all, and of every call that found none. */
export type MemoryObserver = { readonly held: (bytes: number) => void; readonly refused: () => void };

export const UNOBSERVED: MemoryObserver = { held: () => undefined, refused: () => undefined };

type Limits = {
  readonly totalBytes: number;
  /** What the caller is told when its tenant has used up its share, and when all together have. */
  readonly tenantRefused: PlainSentence;
  readonly allRefused: PlainSentence;
  readonly observer: MemoryObserver;
  /** Whether a body fits in any case while nothing else is held: for bodies without a greatest size. */
  readonly oneFits: boolean;
};

/** Limits the memory that all bodies in progress take together: beyond it, or beyond its fair share, a call gets 503 with Retry-After. */
export function createMemoryBudget({ totalBytes, tenantRefused, allRefused, oneFits, observer }: Limits): MemoryBudget {
  const shares = createFairShares<Edb>(totalBytes);

  function check(tenant: Edb, bytes: number): void {
    if (shares.fits(tenant, bytes)) return;
    if (oneFits && shares.used() === 0) return;
    observer.refused();
    throw unavailableProblem(shares.of(tenant) > 0 ? tenantRefused : allRefused);
  }

  function charge(tenant: Edb, bytes: number): void {
    shares.change(tenant, bytes);
    observer.held(shares.used());
  }

  return {
    shareOf(tenant) {
      let own = 0;
      return {
        check: (bytes) => check(tenant, bytes),
        hold(bytes) {
          const more = bytes - own;
          if (more > 0) check(tenant, more);
          charge(tenant, more);
          own = bytes;
        },
        release() {
          charge(tenant, -own);
          own = 0;
        },
      };
    },
  };
}
