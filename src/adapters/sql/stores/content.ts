import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import type { FileToKeep, StoredFile } from '../../../application/ports/stored-file.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Engine, Sql } from '../engine.ts';

/** From here on a file is stored ahead of the transaction that refers to it, which would else keep others waiting. */
const LARGE_BYTES = 262_144;

const KEEP = 'insert into content (tenant, sha256, bytes) values ($1, $2, $3) on conflict do nothing';

/** The lock keeps the file there until the transaction has referred to it. */
const IS_KEPT = 'select 1 from content where tenant = $1 and sha256 = $2 /*postgres for key share*/';

/** Stores a large file. One that nothing comes to refer to, because the process died, is there when it is sent again. */
export async function keepAhead(engine: Engine, tenant: Edb, file: StoredFile): Promise<FileToKeep> {
  const { sha256, bytes } = file;
  if (bytes.byteLength < LARGE_BYTES) return file;
  await engine.runApart(KEEP, [tenant, sha256, bytes]);
  return { sha256, bytes: null };
}

/** Keeps a file's bytes once per tenant. */
export async function keepContent(sql: Sql, tenant: Edb, file: FileToKeep | null): Promise<Uint8Array | null> {
  if (file === null) return null;
  const { sha256, bytes } = file;
  if (bytes !== null) await sql.run(KEEP, [tenant, sha256, bytes]);
  else if ((await sql.get(IS_KEPT, [tenant, sha256])) === null) {
    // Only the sweep of the archive removes files: it took an old document's for unused just before this one was to refer to it.
    throw new ServiceUnavailable('The file was removed with an archived document at this very moment.');
  }
  return sha256;
}
