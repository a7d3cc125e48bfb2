import type {
  StrayRegistration,
  StrayRegistrationStore,
} from '../../../../application/ports/storage/outbound/stray-registration-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { Sql } from '../../engine.ts';

type Row = Pick<StrayRegistration, 'euid' | 'act' | 'status' | 'answer'> & {
  readonly registered_at: string | null;
  readonly recorded_at: number;
};

type KeptRow = Row & { readonly tenant: Edb; readonly doc_uid: DocUid };

const COLUMNS = 'euid, act, status, registered_at, recorded_at, answer';

export function strayRegistrationStore(sql: Sql): StrayRegistrationStore {
  return {
    async add(tenant, docUid, { euid, act, status, registeredAt, recordedAt, answer }) {
      const added = await sql.run(
        `insert into stray_registration (tenant, doc_uid, euid, act, status, registered_at, recorded_at, answer)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (tenant, doc_uid, euid) do nothing`,
        [tenant, docUid, euid, act, status, registeredAt, recordedAt, answer],
      );
      return added === 1;
    },
    async list(tenant, docUid) {
      const rows = await sql.all<Row>(
        `select ${COLUMNS} from stray_registration
         where tenant = $1 and doc_uid = $2 order by recorded_at, euid`,
        [tenant, docUid],
      );
      return rows.map(toStray);
    },
    // Without an index: there are hardly any.
    async recent(since, limit) {
      const rows = await sql.all<KeptRow>(
        `select tenant, doc_uid, ${COLUMNS} from stray_registration where recorded_at >= $1
         order by recorded_at desc, tenant, doc_uid, euid limit $2`,
        [since, limit],
      );
      return rows.map((row) => ({ ...toStray(row), tenant: row.tenant, docUid: row.doc_uid }));
    },
  };
}

function toStray({
  euid,
  act,
  status,
  registered_at: registeredAt,
  recorded_at: recordedAt,
  answer,
}: Row): StrayRegistration {
  return { euid, act, status, registeredAt, recordedAt, answer };
}
