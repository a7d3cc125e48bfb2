import type { SharedBuckets } from '../../../application/ports/access.ts';
import { drawTokens, fullBucket } from '../../../domain/accounts/token-bucket.ts';
import type { Engine } from '../engine.ts';

type Row = { readonly level: number; readonly filled_at: number };

export function sharedBuckets(engine: Engine): SharedBuckets {
  return {
    draw: ({ tenant, keyId, callsPerMinute }, now, draw) =>
      engine.transaction(async (sql) => {
        // A lock by name, because a key's first two calls would find no row to lock.
        sql.lock(`traffic ${tenant} ${keyId}`);
        const row = await sql.get<Row>('select level, filled_at from traffic where tenant = $1 and key_id = $2', [
          tenant,
          keyId,
        ]);
        const stored = row === null ? fullBucket(callsPerMinute, now) : { level: row.level, filledAt: row.filled_at };
        const result = drawTokens(stored, callsPerMinute, now, draw);
        await sql.run(
          `insert into traffic (tenant, key_id, level, filled_at) values ($1, $2, $3, $4)
           on conflict (tenant, key_id) do update set level = excluded.level, filled_at = excluded.filled_at`,
          [tenant, keyId, result.bucket.level, result.bucket.filledAt],
        );
        return result;
      }),
  };
}
