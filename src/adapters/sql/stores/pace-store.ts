import type { PaceStore } from '../../../application/ports/storage/pace-store.ts';
import { askForTurn, EMPTY_LINE, type RequestLine } from '../../../domain/accounts/request-line.ts';
import type { Sql } from '../engine.ts';

type Row = { readonly free_at: number; readonly waiting: string | null };

/** What the column `waiting` holds, as JSON. */
type StoredWaiting = Pick<RequestLine, 'waiting' | 'sendsInARow'>;

export function paceStore(sql: Sql): PaceStore {
  return {
    async ask(environment, eujpId, requests, now, intervalMs) {
      // A lock by name, because a user's first two requests would find no row to lock.
      sql.lock(`pace ${environment} ${eujpId}`);
      // Processes of the version before change the row without that lock, during a rolling restart.
      const row = await sql.get<Row>(
        'select free_at, waiting from pace where environment = $1 and eujp_id = $2 /*postgres for update*/',
        [environment, eujpId],
      );
      const { line, answer } = askForTurn(row === null ? EMPTY_LINE : lineOf(row), requests, now, intervalMs);
      const { freeAt, ...stored } = line;
      await sql.run(
        `insert into pace (environment, eujp_id, free_at, waiting) values ($1, $2, $3, $4)
         on conflict (environment, eujp_id) do update set free_at = excluded.free_at, waiting = excluded.waiting`,
        [environment, eujpId, freeAt, JSON.stringify(stored satisfies StoredWaiting)],
      );
      return answer;
    },
    async postpone(environment, eujpId, freeAt) {
      await sql.run('update pace set free_at = $3 where environment = $1 and eujp_id = $2 and free_at < $3', [
        environment,
        eujpId,
        freeAt,
      ]);
    },
  };
}

function lineOf({ free_at: freeAt, waiting }: Row): RequestLine {
  const stored = waiting === null ? EMPTY_LINE : (JSON.parse(waiting) as StoredWaiting);
  return { ...EMPTY_LINE, ...stored, freeAt };
}
