import type { KeyStore } from '../../../application/ports/storage/key-store.ts';
import { type ApiKey, KEY_USE_STEP_MS } from '../../../domain/accounts/api-key.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Sql } from '../engine.ts';
import { TENANT_COLUMNS, type TenantRow, toTenant } from './tenant-store.ts';

type KeyRow = {
  readonly key_id: string;
  readonly tenant: Edb;
  readonly software: string;
  readonly scopes: string;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly allowed_addresses: string;
  readonly calls_per_minute: number;
  readonly key_created_at: number;
  readonly last_used_at: number | null;
};

const COLUMNS = `key_id, tenant, software, scopes, expires_at, revoked_at, allowed_addresses, calls_per_minute,
  api_key.created_at as key_created_at, last_used_at`;

export function keyStore(sql: Sql): KeyStore {
  return {
    async add(key, secretSha256) {
      await sql.run(
        `insert into api_key (key_id, tenant, software, scopes, expires_at, revoked_at, allowed_addresses,
           calls_per_minute, created_at, secret_sha256)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          key.keyId,
          key.tenant,
          key.software,
          JSON.stringify(key.scopes),
          key.expiresAt,
          key.revokedAt,
          JSON.stringify(key.allowedAddresses),
          key.callsPerMinute,
          key.createdAt,
          secretSha256,
        ],
      );
    },
    async findBySecret(secretSha256) {
      const row = await sql.get<KeyRow & TenantRow>(
        `select ${COLUMNS}, ${TENANT_COLUMNS}
         from api_key join tenant on tenant.edb = api_key.tenant where secret_sha256 = $1`,
        [secretSha256],
      );
      return row === null ? null : { key: toKey(row), tenant: toTenant(row) };
    },
    async find(keyId) {
      // Locked within a transaction, so that an update can rely on what was read.
      sql.lock(`key ${keyId}`);
      const row = await sql.get<KeyRow>(`select ${COLUMNS} from api_key where key_id = $1`, [keyId]);
      return row === null ? null : toKey(row);
    },
    async list(tenant) {
      const rows =
        tenant === null
          ? await sql.all<KeyRow>(`select ${COLUMNS} from api_key order by tenant, created_at, key_id`, [])
          : await sql.all<KeyRow>(`select ${COLUMNS} from api_key where tenant = $1 order by created_at, key_id`, [
              tenant,
            ]);
      return rows.map(toKey);
    },
    async update(key) {
      await sql.run(
        'update api_key set expires_at = $3, revoked_at = $4, allowed_addresses = $5 where tenant = $1 and key_id = $2',
        [key.tenant, key.keyId, key.expiresAt, key.revokedAt, JSON.stringify(key.allowedAddresses)],
      );
    },
    async recordUse(tenant, keyId, at) {
      await sql.run(
        `update api_key set last_used_at = $3 where tenant = $1 and key_id = $2
         and (last_used_at is null or last_used_at not between $4 and $5)`,
        [tenant, keyId, at, at - KEY_USE_STEP_MS + 1, at + KEY_USE_STEP_MS - 1],
      );
    },
  };
}

function toKey(row: KeyRow): ApiKey {
  return {
    keyId: row.key_id,
    tenant: row.tenant,
    software: row.software,
    scopes: JSON.parse(row.scopes) as string[],
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    allowedAddresses: JSON.parse(row.allowed_addresses) as string[],
    callsPerMinute: row.calls_per_minute,
    createdAt: row.key_created_at,
    lastUsedAt: row.last_used_at,
  };
}
