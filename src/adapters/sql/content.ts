import type { StoredFile } from '../../application/document-reader.ts';
import type { Edb } from '../../domain/edb.ts';
import type { Sql } from './engine.ts';

/** Keeps a file's bytes once per tenant. */
export async function keepContent(sql: Sql, tenant: Edb, file: StoredFile | null): Promise<Uint8Array | null> {
  if (file === null) return null;
  await sql.run('insert into content (tenant, sha256, bytes) values ($1, $2, $3) on conflict do nothing', [
    tenant,
    file.sha256,
    file.bytes,
  ]);
  return file.sha256;
}
