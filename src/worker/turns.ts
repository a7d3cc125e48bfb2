import type { Edb } from '../domain/edb.ts';
import type { Tenant } from '../domain/tenant.ts';

export type Turns = {
  /** Those who waited longest for their turn first. */
  readonly inOrder: (tenants: readonly Tenant[]) => readonly Tenant[];
  /** These had their turn now, all at the same time. */
  readonly taken: (tenants: readonly Tenant[]) => void;
};

export function createTurns(): Turns {
  const lastTurns = new Map<Edb, number>();
  let rounds = 0;
  const lastTurn = ({ edb }: Tenant) => lastTurns.get(edb) ?? 0;
  return {
    inOrder: (tenants) => tenants.toSorted((one, other) => lastTurn(one) - lastTurn(other)),
    taken(tenants) {
      rounds += 1;
      for (const { edb } of tenants) lastTurns.set(edb, rounds);
    },
  };
}
