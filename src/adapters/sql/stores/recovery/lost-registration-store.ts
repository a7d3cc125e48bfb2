import type {
  LostRegistration,
  LostRegistrationStore,
} from '../../../../application/ports/storage/recovery/lost-registration-store.ts';
import type { Sql } from '../../engine.ts';

type Row = {
  readonly euid: string;
  readonly doc_type_code: string;
  readonly doc_number: string;
  readonly doc_date: string;
  readonly doc_id: string;
  readonly found_at: number;
};

const COLUMNS = 'euid, doc_type_code, doc_number, doc_date, doc_id, found_at';
const ANY_TYPE = '';
const NO_DOC_ID = '';

const PRESENT_ENVIRONMENT = '(select environment from tenant where edb = $1)';

export function lostRegistrationStore(sql: Sql): LostRegistrationStore {
  return {
    async add(tenant, { euid, docTypeCode, docNumber, docDate, docId, foundAt }, environment) {
      const added = await sql.run(
        `insert into lost_registration (tenant, euid, doc_type_code, doc_number, doc_date, doc_id, found_at, environment)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
        [tenant, euid, docTypeCode, docNumber, docDate, docId ?? NO_DOC_ID, foundAt, environment],
      );
      return added === 1;
    },
    async find(tenant, { docTypeCode, docNumber }) {
      const row = await sql.get<Row>(
        `select ${COLUMNS} from lost_registration
         where tenant = $1 and substr(doc_number, 1, 60) = substr($2, 1, 60) and doc_number = $2 and doc_type_code in ($3, '${ANY_TYPE}')
           and coalesce(environment, ${PRESENT_ENVIRONMENT}) is not distinct from ${PRESENT_ENVIRONMENT}
         order by euid limit 1`,
        [tenant, docNumber, docTypeCode],
      );
      return row === null ? null : toLost(row);
    },
    async registeredAs(tenant, euid) {
      const text = `select ${COLUMNS} from lost_registration where tenant = $1 and euid in ($2, lower($2), upper($2)) limit 1`;
      const row = await sql.get<Row>(text, [tenant, euid]);
      return row === null ? null : toLost(row);
    },
  };
}

function toLost(row: Row): LostRegistration {
  return {
    euid: row.euid,
    docTypeCode: row.doc_type_code,
    docNumber: row.doc_number,
    docDate: row.doc_date,
    docId: row.doc_id === NO_DOC_ID ? null : row.doc_id,
    foundAt: row.found_at,
  };
}
