import type { Edb } from '../../domain/accounts/edb.ts';
import type { DueVoids } from '../ports/storage/outbound/void-store.ts';

/** How many voids to claim of a tenant. */
type VoidShare = { readonly tenant: Edb; readonly user: string; readonly count: number };

/** The authority takes one request a second of a user: a thousand voids of one must not go before the single one of another. */
const MOST_OF_USER = 2;

/**
 * Whose voids are next: users take turns, the least recently served first, and so do the tenants that one user signs for. A process that
 * begins anew begins with those that have waited the longest.
 */
export function createVoidTurns(): (due: readonly DueVoids[], places: number) => readonly VoidShare[] {
  const lastTurns = new Map<string, number>();
  let turns = 0;
  const lastTurn = (name: string) => lastTurns.get(name) ?? 0;

  return (due, places) => {
    const inTurn = due.toSorted(
      (one, other) => lastTurn(one.user) - lastTurn(other.user) || lastTurn(one.tenant) - lastTurn(other.tenant),
    );
    const used = new Map<string, number>();
    let free = places;
    turns += 1;
    return inTurn.flatMap(({ tenant, user, voids }) => {
      const usedByUser = used.get(user) ?? 0;
      const count = Math.min(free, MOST_OF_USER - usedByUser, voids);
      if (count <= 0) return [];
      free -= count;
      used.set(user, usedByUser + count);
      for (const name of [user, tenant]) lastTurns.set(name, turns);
      return [{ tenant, user, count }];
    });
  };
}
