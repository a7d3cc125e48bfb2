import type { Edb } from '../domain/accounts/edb.ts';

export type Turns = {
  /** Those who waited longest for their turn first. */
  readonly inOrder: (tenants: readonly Edb[]) => readonly Edb[];
  /** These had their turn now, all at the same time. */
  readonly taken: (tenants: readonly Edb[]) => void;
};

export function createTurns(): Turns {
  const lastTurns = new Map<Edb, number>();
  let rounds = 0;
  const lastTurn = (tenant: Edb) => lastTurns.get(tenant) ?? 0;
  return {
    inOrder: (tenants) => tenants.toSorted((one, other) => lastTurn(one) - lastTurn(other)),
    taken(tenants) {
      rounds += 1;
      for (const tenant of tenants) lastTurns.set(tenant, rounds);
    },
  };
}
