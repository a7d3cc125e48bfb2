import type { PaceStore } from '../../../application/ports/storage/pace-store.ts';
import type { Sql } from '../engine.ts';

export function paceStore(sql: Sql): PaceStore {
  return {
    async reserve(environment, eujpId, now, intervalMs) {
      const row = await sql.get<{ free_at: number }>(
        `insert into pace (environment, eujp_id, free_at) values ($1, $2, $3)
         on conflict (environment, eujp_id) do update
           set free_at = case when pace.free_at > $4 then pace.free_at else $4 end + $5
         returning free_at`,
        [environment, eujpId, now + intervalMs, now, intervalMs],
      );
      return (row?.free_at ?? now + intervalMs) - intervalMs;
    },
  };
}
