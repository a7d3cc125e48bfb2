import type {
  CertificateFacts,
  CredentialStore,
  SealedCredential,
} from '../../../application/ports/storage/credential-store.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Sql } from '../engine.ts';

type CredentialRow = {
  readonly tenant: Edb;
  readonly certificate: string;
  readonly serial_number: string;
  readonly valid_to: number;
  readonly sealed_key: Uint8Array;
  readonly sealed_by: string;
  readonly changed_at: number;
};

const COLUMNS = 'tenant, certificate, serial_number, valid_to, sealed_key, sealed_by, changed_at';

const FACTS = `
  select tenant, serial_number as "serialNumber", valid_to as "validTo", changed_at as "changedAt" from credential order by tenant`;

export function credentialStore(sql: Sql): CredentialStore {
  return {
    async find(tenant) {
      const row = await sql.get<CredentialRow>(`select ${COLUMNS} from credential where tenant = $1`, [tenant]);
      return row === null ? null : toCredential(row);
    },
    async list() {
      return (await sql.all<CredentialRow>(`select ${COLUMNS} from credential order by tenant`, [])).map(toCredential);
    },
    async page(after, limit) {
      const text = `select ${COLUMNS} from credential where tenant > $1 order by tenant limit $2`;
      return (await sql.all<CredentialRow>(text, [after, limit])).map(toCredential);
    },
    facts: () => sql.all<CertificateFacts>(FACTS, []),
    async reseal(tenant, former, { sealedKey, sealedBy }) {
      const text = 'update credential set sealed_key = $3, sealed_by = $4 where tenant = $1 and sealed_key = $2';
      return (await sql.run(text, [tenant, former, sealedKey, sealedBy])) === 1;
    },
    async save(credential) {
      await sql.run(
        `insert into credential (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (tenant) do update set certificate = excluded.certificate, serial_number = excluded.serial_number,
           valid_to = excluded.valid_to, sealed_key = excluded.sealed_key, sealed_by = excluded.sealed_by,
           changed_at = excluded.changed_at`,
        [
          credential.tenant,
          credential.certificate,
          credential.serialNumber,
          credential.validTo,
          credential.sealedKey,
          credential.sealedBy,
          credential.changedAt,
        ],
      );
    },
    async remove(tenant) {
      await sql.run('delete from credential where tenant = $1', [tenant]);
    },
  };
}

function toCredential(row: CredentialRow): SealedCredential {
  return {
    tenant: row.tenant,
    certificate: row.certificate,
    serialNumber: row.serial_number,
    validTo: row.valid_to,
    sealedKey: row.sealed_key,
    sealedBy: row.sealed_by,
    changedAt: row.changed_at,
  };
}
