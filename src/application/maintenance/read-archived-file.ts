import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { plainProblem } from '../errors/problem.ts';
import { ServiceUnavailable } from '../errors/service-unavailable.ts';
import type { ArchivedFiles } from '../ports/archived-files.ts';
import type { ArchiveSide, ArchiveStore } from '../ports/storage/archive-store.ts';
import type { InboundFile } from '../ports/storage/inbound-store.ts';
import { fileName } from './archive-line.ts';

type Needs = { readonly archive: Pick<ArchiveStore, 'archivedFile'>; readonly archivedFiles: ArchivedFiles };

export type ReadArchivedFile = (
  tenant: Edb,
  side: ArchiveSide,
  docUid: DocUid,
  representation: string,
) => Promise<InboundFile | null>;

/** Long enough for an operator or a system to mount a folder again. */
const RETRY_AFTER_SECONDS = 60;

/** Reads a file that is in the archive alone; null when the document is not archived or has no such file. */
export function readArchivedFile({ archive, archivedFiles }: Needs): ReadArchivedFile {
  return async (tenant, side, docUid, representation) => {
    const found = await archive.archivedFile(tenant, side, docUid, representation);
    if (found === null) return null;
    const { createdAt, sha256, documentNumber, fileName: originalName } = found;
    const month = formatInstant(createdAt).slice(0, 7);
    const path = fileName({ id: docUid, createdAt }, representation);
    try {
      const bytes = await archivedFiles.read({ tenant, side, month, path, sha256 });
      return { bytes, sha256, documentNumber, fileName: originalName };
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error;
      const detail = 'The file is in the archive of the service, which is out of reach at this moment.';
      throw plainProblem(503, 'Service Unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
  };
}
