import type pg from 'pg';

/** Puts every table back to what it was, with its rows in the same places: a new database would take the server five times as long. */
export type OriginalRows = { readonly restore: () => Promise<void> };

/** What the tables hold now is what every history begins with. */
export async function keepOriginalRows(client: pg.Client): Promise<OriginalRows> {
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  const tables = rows.map(({ name }) => name);
  const filled: string[] = [];
  await client.query('create schema original');
  for (const name of tables) {
    // Its moment would depend on the machine, and with it the places and the plans.
    await client.query(`alter table public.${name} set (autovacuum_enabled = false)`);
    const { rowCount } = await client.query(`create table original.${name} as table public.${name}`);
    if (rowCount !== null && rowCount > 0) filled.push(name);
  }
  const restoring = [
    'begin',
    // Without checks of references, which hold whatever the order of the tables.
    'set local session_replication_role = replica',
    `truncate ${tables.map((name) => `public.${name}`).join(', ')} restart identity`,
    ...filled.map((name) => `insert into public.${name} select * from original.${name}`),
    'commit',
  ].join('; ');
  return {
    async restore() {
      await client.query(restoring);
    },
  };
}
