import type { ProcessStore, ServiceProcess } from '../../../../application/ports/storage/operations/process-store.ts';
import type { Sql } from '../../engine.ts';

export function processStore(sql: Sql): ProcessStore {
  return {
    async save({ id, role, version, host, startedAt, seenAt }) {
      await sql.run(
        `insert into service_process (id, role, version, host, started_at, seen_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set seen_at = excluded.seen_at`,
        [id, role, version, host, startedAt, seenAt],
      );
    },
    async remove(id) {
      await sql.run('delete from service_process where id = $1', [id]);
    },
    list: () =>
      sql.all<ServiceProcess>(
        `select id, role, version, host, started_at as "startedAt", seen_at as "seenAt" from service_process
         order by started_at desc, id`,
        [],
      ),
    async forgetBefore(seenAt) {
      await sql.run('delete from service_process where seen_at < $1', [seenAt]);
    },
  };
}
