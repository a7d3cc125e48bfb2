import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { message } from '../../domain/messages/message.ts';
import { problem } from '../errors/problem.ts';
import { DOCUMENT_SHAPES, type DocumentShape, type ShapeOfFile } from '../files/document-shape.ts';
import type { HeldFiles } from '../files/held-files.ts';
import type { ContentCode, DocumentReader } from '../ports/document-reader.ts';
import type { AuthorityDocuments } from '../ports/inbound/authority-documents.ts';
import type { Hasher } from '../ports/platform.ts';
import type { StoredRepresentation } from '../ports/storage/lists.ts';
import type { ReadInbound } from './read-inbound.ts';

type Needs = {
  readonly readInbound: Pick<ReadInbound, 'file'>;
  readonly shapeOf: Pick<ShapeOfFile, 'inbound'>;
  readonly documents: Pick<AuthorityDocuments, 'toUbl'>;
  readonly reader: Pick<DocumentReader, 'inspect'>;
  readonly hasher: Hasher;
  readonly held: HeldFiles;
};

export type InboundAsUbl = StoredRepresentation & {
  readonly shape: DocumentShape;
  /** How many values and characters are in the original alone. */
  readonly leftOut: number;
};

export type ReadInboundAsUbl = (tenant: Edb, docUid: DocUid) => Promise<InboundAsUbl>;

/** What the schema says; a submission would be refused for more, but what has been registered is not judged again. */
const INVALID: ReadonlySet<ContentCode> = new Set(['ERR-2001', 'ERR-2002', 'ERR-2011']);

/** As UBL. */
const TIMES_AS_LARGE = 4;

/** The original as UBL 2.1: as it is where it arrived so, else converted from the authority's form. Nothing is stored. */
export function readInboundAsUbl({ readInbound, shapeOf, documents, reader, hasher, held }: Needs): ReadInboundAsUbl {
  return async (tenant, docUid) => {
    const original = await readInbound.file(tenant, docUid, 'original');
    const shape = await shapeOf.inbound(tenant, docUid, 'original', original);
    if (shape === DOCUMENT_SHAPES.ubl) return { ...original, shape, leftOut: 0 };
    const { documentNumber } = original;
    const size = (1 + TIMES_AS_LARGE) * original.bytes.length;
    const { bytes, leftOut } = await held.during(tenant, size, () => convert(tenant, original.bytes));
    return { bytes, sha256: hasher.sha256(bytes), documentNumber, shape: DOCUMENT_SHAPES.ubl, leftOut };
  };

  async function convert(tenant: Edb, original: Uint8Array) {
    const conversion = await documents.toUbl(tenant, original);
    if (conversion.outcome === 'refused') throw problem('ERR-3002', conversion.reason);
    await requireValid(tenant, conversion.bytes);
    return conversion;
  }

  /** A value that no schema of ours foresees must not reach a client as valid UBL. */
  async function requireValid(tenant: Edb, bytes: Uint8Array): Promise<void> {
    const { refusals } = await reader.inspect(tenant, bytes);
    const [finding] = refusals.find(({ code }) => INVALID.has(code))?.findings ?? [];
    if (finding !== undefined) throw problem('ERR-3002', message('original-not-in-ubl', { finding: finding.said }));
  }
}
