import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StoredDamage } from '../../application/errors/damage.ts';
import { ServiceUnavailable } from '../../application/errors/service-unavailable.ts';
import type { ArchivedFiles, ArchivePlace } from '../../application/ports/archived-files.ts';
import type { Timers } from '../../application/ports/platform.ts';
import { withDeadline } from '../threads/deadline.ts';
import { createSemaphore } from '../threads/semaphore.ts';
import { volumesAmong } from './volume-names.ts';

/**
 * A folder on a network that is gone may answer no call for minutes, and each call in waiting holds one of the four threads that
 * all files of the process share. So few are allowed at once, and nobody waits long.
 */
const MAX_READS = 2;
const DEADLINE = { of: 'The archive', timeoutMs: 10_000 };

/** The files of an archive that `archive` has written; without a folder nothing is within reach. */
export function openArchivedFiles(
  root: string | null,
  timers: Timers,
  onFailure: (error: unknown) => void,
): ArchivedFiles {
  const reads = createSemaphore(MAX_READS);
  return {
    async read(place) {
      try {
        if (root === null) throw new ServiceUnavailable('ARCHIVE_DIR is not set, but documents are archived.');
        return await withDeadline(timers, DEADLINE, (signal) =>
          reads.run(place.tenant, () => read(root, place), signal),
        );
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
  };
}

/**
 * A document that had changed is in several volumes; the newest comes first, but any copy with the right bytes will do, also where another
 * one cannot be read.
 */
async function read(root: string, { tenant, month, side, path, sha256 }: ArchivePlace): Promise<Uint8Array> {
  const folder = join(root, tenant, month);
  const names = await readdir(folder).catch((error: unknown) => unreachable(folder, error));
  let damaged: string | null = null;
  let failure: unknown = null;
  for (const volume of volumesAmong(names, side).toReversed()) {
    const file = join(folder, volume, path);
    try {
      const found = await readFile(file);
      if (found?.sha256.equals(sha256) === true) return found.bytes;
      if (found !== null) damaged = file;
    } catch (error) {
      failure = error;
    }
  }
  // That one may be sound.
  if (failure !== null) throw failure;
  if (damaged !== null) throw new StoredDamage(tenant, damaged);
  return unreachable(join(folder, `${side}-*`, path), null);
}

/** Null when there is no such file. Hashed piece by piece, so that a large one does not hold up others. */
async function readFile(file: string) {
  const digest = createHash('sha256');
  const pieces: Buffer[] = [];
  try {
    for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
      digest.update(piece);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    return unreachable(file, error);
  }
  return { bytes: Buffer.concat(pieces), sha256: digest.digest() };
}

function unreachable(place: string, cause: unknown): never {
  throw new ServiceUnavailable(`${place} is out of reach in the archive.`, { cause });
}
