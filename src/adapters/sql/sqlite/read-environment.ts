import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Access, QueuedDocument } from '../../../application/ports/backup.ts';
import type { StoreEnvironment } from '../../../application/ports/store-environment.ts';
import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import { readEnvironment } from '../store-environment.ts';
import { statementText } from './connection.ts';

/** The environment that the database of a connection belongs to; null when it belongs to neither. */
export function environmentOn(connection: DatabaseSync): Promise<StoreEnvironment | null> {
  return readEnvironment({
    async get<Row>(text: string, parameters: readonly (string | number | Uint8Array | null)[]) {
      return (connection.prepare(statementText(text)).get(...parameters) ?? null) as Row | null;
    },
  });
}

/** The same for a file; null also where there is none, and for one that cannot be read as a database: it says nothing of itself. */
export function environmentOfFile(path: string): Promise<StoreEnvironment | null> {
  return readFrom(path, environmentOn);
}

/** Who may use the service by a file; null like above. */
export function accessOfFile(path: string): Promise<Access | null> {
  return readFrom(path, async (connection) => ({
    keys: keysOn(connection),
    operators: operatorsOn(connection),
    tenants: tenantsOn(connection),
  }));
}

/** Nothing is due where no work is left. Reads all documents, as a restore does more than once. */
const QUEUED = `
  select tenant, id from outbound
  where due_at is not null and status < ${OUTBOUND_STATUS.accepted} and doc_uid is not null order by tenant, id`;

const CANCELLED = `select 1 from outbound where tenant = ? and id = ? and status = ${OUTBOUND_STATUS.cancelled}`;

/** Documents that wait for delivery by a file and are cancelled by the former; null where either cannot be read. */
export async function queuedAgain(path: string, former: string): Promise<readonly QueuedDocument[] | null> {
  const queued = await readFrom(path, async (connection) =>
    connection
      .prepare(QUEUED)
      .all()
      .map(({ tenant, id }) => ({ tenant: String(tenant), docUid: String(id) })),
  );
  if (queued === null) return null;
  return readFrom(former, async (connection) => {
    const cancelled = connection.prepare(CANCELLED);
    return queued.filter(({ tenant, docUid }) => cancelled.get(tenant, docUid) !== undefined);
  });
}

/** Whether a file was restored itself, and neither compared nor released since. False for one that cannot be read. */
export async function isRestored(path: string): Promise<boolean> {
  const restored = 'select 1 from delivery_hold where restored_at is not null';
  return (await readFrom(path, async (connection) => connection.prepare(restored).get() !== undefined)) ?? false;
}

function keysOn(connection: DatabaseSync): Access['keys'] {
  const rows = connection
    .prepare(`select key_id, expires_at, allowed_addresses from api_key where revoked_at is null order by key_id`)
    .all();
  return rows.map(({ key_id: keyId, expires_at: expiresAt, allowed_addresses: addresses }) => ({
    keyId: String(keyId),
    expiresAt: expiresAt === null ? null : Number(expiresAt),
    allowedAddresses: JSON.parse(String(addresses)) as string[],
  }));
}

const TENANTS = `
  select edb, environment, outbound_enabled, eujp_id, (select serial_number from credential where tenant = edb) as certificate
  from tenant order by edb`;

function tenantsOn(connection: DatabaseSync): Access['tenants'] {
  const rows = connection.prepare(TENANTS).all();
  return rows.map(({ edb, environment, outbound_enabled: outbound, eujp_id: eujpId, certificate }) => ({
    edb: String(edb),
    environment: String(environment),
    outboundEnabled: outbound === 1,
    eujpId: eujpId === null ? null : String(eujpId),
    certificate: certificate === null ? null : String(certificate),
  }));
}

/** A database of the time before the console has none. */
function operatorsOn(connection: DatabaseSync): Access['operators'] {
  const table = connection.prepare(`select 1 from sqlite_schema where name = 'operator_account'`).get();
  if (table === undefined) return [];
  const rows = connection.prepare('select name, role, password from operator_account order by name').all();
  return rows.map(({ name, role, password }) => ({ name: String(name), account: `${role} ${password}` }));
}

async function readFrom<Result>(
  path: string,
  read: (connection: DatabaseSync) => Promise<Result>,
): Promise<Result | null> {
  if (!existsSync(path)) return null;
  try {
    using connection = new DatabaseSync(path, { timeout: 5_000 });
    connection.exec('pragma query_only = on');
    return await read(connection);
  } catch {
    return null;
  }
}
