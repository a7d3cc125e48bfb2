import type { Edb } from '../../domain/accounts/edb.ts';
import { DatabaseDamaged, StoredDamage } from '../errors/damage.ts';
import type { ArchivedDocument, ArchiveStore } from '../ports/storage/archive-store.ts';

/** By representation, in the order of the document's line. */
type Files = readonly (readonly [representation: string, bytes: Uint8Array])[];

/** The files of a document, or what is wrong with the first that is not as it was stored. */
export async function filesToArchive(
  archive: Pick<ArchiveStore, 'content'>,
  tenant: Edb,
  { files }: Pick<ArchivedDocument, 'files'>,
): Promise<{ readonly files: Files } | { readonly damage: string }> {
  const found: [string, Uint8Array][] = [];
  for (const [representation, sha256] of Object.entries(files)) {
    const content = await contentOf(archive, tenant, sha256);
    if (typeof content === 'string') return { damage: content };
    found.push([representation, content]);
  }
  return { files: found };
}

/** Text says what is wrong. */
async function contentOf(
  archive: Pick<ArchiveStore, 'content'>,
  tenant: Edb,
  sha256: string,
): Promise<Uint8Array | string> {
  try {
    return (await archive.content(tenant, sha256)) ?? `file ${sha256} is missing`;
  } catch (error) {
    if (error instanceof StoredDamage) return error.place;
    if (error instanceof DatabaseDamaged) return `file ${sha256} cannot be read`;
    throw error;
  }
}
