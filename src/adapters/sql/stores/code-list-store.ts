import type { CachedCodeList, CodeListStore } from '../../../application/ports/storage/code-list-store.ts';
import type { CodeListEntry } from '../../../domain/values/code-list.ts';
import type { Sql } from '../engine.ts';

type Row = { readonly entries: string | null; readonly read_at: number };

/** Every document that is sent needs several lists, which rarely change: entries are fetched and read once, until the row says otherwise. */
export function codeListStore(sql: Sql): CodeListStore {
  const found = new Map<string, CachedCodeList>();
  return {
    async find(environment, type) {
      const name = `${environment}/${type}`;
      const known = found.get(name);
      const row = await sql.get<Row>(
        `select case when read_at = $3 then null else entries end as entries, read_at
         from code_list where environment = $1 and type = $2`,
        [environment, type, known?.readAt ?? null],
      );
      if (row === null) {
        found.delete(name);
        return null;
      }
      if (known !== undefined && row.entries === null) return known;
      const list = { entries: readEntries(row.entries ?? '[]'), readAt: row.read_at };
      found.set(name, list);
      return list;
    },
    // Entries that changed within a millisecond have another time all the same: by it their readers know that they did.
    async save(environment, type, list) {
      await sql.run(
        `insert into code_list (environment, type, entries, read_at) values ($1, $2, $3, $4)
         on conflict (environment, type) do update set entries = excluded.entries,
           read_at = excluded.read_at +
             case when excluded.read_at = code_list.read_at and excluded.entries <> code_list.entries then 1 else 0 end`,
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
