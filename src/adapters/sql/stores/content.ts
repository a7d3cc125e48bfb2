import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import type { FileToStore, StoredFile } from '../../../application/ports/stored-file.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Engine, Sql } from '../engine.ts';

/** From this size on, a file is stored before the transaction that refers to it, which would otherwise delay others. */
const LARGE_BYTES = 262_144;

const STORE = 'insert into content (tenant, sha256, bytes) values ($1, $2, $3) on conflict do nothing';

/** The lock keeps the archive's sweep from removing the file before the transaction that refers to it is committed. */
const FIND_AND_LOCK = 'select 1 from content where tenant = $1 and sha256 = $2 /*postgres for key share*/';

/** Stores a large file. If the process dies before a document refers to it, the file stays and is used when it is sent again. */
export async function storeLargeFile(engine: Engine, tenant: Edb, file: StoredFile): Promise<FileToStore> {
  const { sha256, bytes } = file;
  if (bytes.byteLength < LARGE_BYTES) return file;
  await engine.runLargeWrite(STORE, [tenant, sha256, bytes]);
  return { sha256, bytes: null };
}

/** Stores a file's bytes once per tenant; returns its SHA-256. */
export async function storeContent(sql: Sql, tenant: Edb, file: FileToStore | null): Promise<Uint8Array | null> {
  if (file === null) return null;
  const { sha256, bytes } = file;
  if (bytes !== null) await sql.run(STORE, [tenant, sha256, bytes]);
  else if ((await sql.get(FIND_AND_LOCK, [tenant, sha256])) === null) {
    // Only the archive's sweep removes files: an archived document had the same file, which seemed unused until now.
    throw new ServiceUnavailable('The file was removed with an archived document at the same moment.');
  }
  return sha256;
}
