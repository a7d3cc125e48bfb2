import { OperatorError } from '../../application/errors/operator-error.ts';
import type { Sql } from './engine.ts';

/** No service may run on the target of an unfinished copy: it would take rows that are not copied yet for missing ones. */
export async function refuseUnfinishedCopy(sql: Sql): Promise<void> {
  const row = await sql.get<{ id: number }>('select id from store_copy where finished_at is null', []);
  if (row === null) return;
  throw new OperatorError(
    'refused',
    'The database holds an unfinished copy of another one: finish it with "dostava migrate-store".',
  );
}
