import { OperatorError } from '../../application/errors/operator-error.ts';
import type { Sql } from './engine.ts';
import { hasTable } from './has-table.ts';

/** Whether a database of any version is the target of a copy that is not complete. */
export async function isUnfinishedCopy(sql: Sql): Promise<boolean> {
  if (!(await hasTable(sql, 'store_copy'))) return false;
  return (await sql.get<{ id: number }>('select id from store_copy where finished_at is null', [])) !== null;
}

/** No service may run on the target of an unfinished copy: it would take rows that are not copied yet for missing ones. */
export async function refuseUnfinishedCopy(sql: Sql): Promise<void> {
  if (!(await isUnfinishedCopy(sql))) return;
  throw new OperatorError(
    'refused',
    'The database holds an unfinished copy of another one: finish it with "dostava migrate-store".',
  );
}
