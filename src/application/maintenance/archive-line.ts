import { formatInstant } from '../../domain/values/instant.ts';
import type { ArchivedDocument, ArchiveSide } from '../ports/storage/archive-store.ts';

const EXTENSIONS: Readonly<Record<string, string>> = {
  ubl: 'ubl.xml',
  pdf: 'pdf',
  ujp: 'ujp.asics',
  original: 'original',
};

/** The path of a document's file within its volume, in a folder for the day of its creation. */
export function fileName(
  { id, createdAt }: Pick<ArchivedDocument, 'id' | 'createdAt'>,
  representation: string,
): string {
  const day = formatInstant(createdAt).slice(8, 10);
  return `${day}/${id.replaceAll(/[^\w-]/gu, '_')}.${EXTENSIONS[representation] ?? representation}`;
}

/** A document as one line of JSON. An unchanged document always gives the same line: that is how it is recognised in the archive. */
export function archiveLine(side: ArchiveSide, document: ArchivedDocument): string {
  const { id, createdAt, facts, files } = document;
  const text = JSON.stringify({
    side,
    id,
    createdAt: formatInstant(createdAt),
    files: Object.fromEntries(
      Object.entries(files).map(([representation, sha256]) => [
        representation,
        { path: fileName(document, representation), sha256 },
      ]),
    ),
    ...facts,
  });
  // JSON allows these two characters, but some readers treat them as the end of a line.
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
