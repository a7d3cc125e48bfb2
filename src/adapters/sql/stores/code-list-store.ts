import type { CodeListStore } from '../../../application/ports/storage/code-list-store.ts';
import type { CodeListEntry } from '../../../domain/values/code-list.ts';
import type { Sql } from '../engine.ts';

export function codeListStore(sql: Sql): CodeListStore {
  return {
    async find(environment, type) {
      const row = await sql.get<{ entries: string; read_at: number }>(
        'select entries, read_at from code_list where environment = $1 and type = $2',
        [environment, type],
      );
      return row === null ? null : { entries: readEntries(row.entries), readAt: row.read_at };
    },
    async save(environment, type, list) {
      await sql.run(
        `insert into code_list (environment, type, entries, read_at) values ($1, $2, $3, $4)
         on conflict (environment, type) do update set entries = excluded.entries, read_at = excluded.read_at`,
        [environment, type, JSON.stringify(list.entries), list.readAt],
      );
    },
  };
}

/** Lists stored by an older release have no details; they are refreshed from the authority within a day. */
function readEntries(json: string): readonly CodeListEntry[] {
  const stored = JSON.parse(json) as readonly (Omit<CodeListEntry, 'details'> & Partial<CodeListEntry>)[];
  return stored.map((entry) => ({ ...entry, details: entry.details ?? {} }));
}
