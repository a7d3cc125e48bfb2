import type {
  DeliveryHold,
  DeliveryHoldStore,
} from '../../../../application/ports/storage/recovery/delivery-hold-store.ts';
import type { Sql } from '../../engine.ts';

export function deliveryHoldStore(sql: Sql): DeliveryHoldStore {
  return {
    find: () => sql.get<DeliveryHold>('select reason, since from delivery_hold', []),
    async set({ reason, since }) {
      await sql.run(
        `insert into delivery_hold (id, reason, since) values (1, $1, $2)
         on conflict (id) do update set reason = excluded.reason, since = excluded.since`,
        [reason, since],
      );
    },
    end: async () => (await sql.run('delete from delivery_hold', [])) === 1,
    async lastMoveBefore(time) {
      const text = 'select max(at) as last from outbound_history where at < $1';
      return (await sql.get<{ last: number | null }>(text, [time]))?.last ?? null;
    },
  };
}
