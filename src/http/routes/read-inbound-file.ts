import type { ShapeOfFile } from '../../application/files/document-shape.ts';
import type { ReadInbound } from '../../application/inbound/read-inbound.ts';
import type { InboundFile } from '../../application/ports/storage/inbound-store.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { INBOUND_REPRESENTATIONS } from '../../domain/documents/inbound-document.ts';
import { fileName, sendFile } from '../answers/file-response.ts';
import { documentPath } from '../answers/schemas.ts';
import { choice } from '../requests/query.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { addCall, type Mount, storedBytes } from '../route.ts';

const PARAMETERS = { format: choice('Which stored file of the document.', INBOUND_REPRESENTATIONS, 'original') };

type Needs = { readonly readInbound: ReadInbound; readonly shapeOf: ShapeOfFile };

export function readInboundFileRoute(mount: Mount, { readInbound, shapeOf }: Needs): void {
  addCall(mount, {
    method: 'GET',
    path: '/inbound/:docUid/file',
    operationId: 'readInboundFile',
    summary: 'Downloads one stored representation of a received document.',
    description:
      'original is the file exactly as it arrived and is always there; ubl only if the document arrived as UBL, pdf if it arrived as PDF or the authority gave one with it (ERR-3002 otherwise). X-Document-Shape says what a file is; documents from the authority are its JSON. Nothing is produced on demand, and the bytes never change.',
    tag: 'inbound',
    params: documentPath,
    parameters: PARAMETERS,
    success: { 200: storedBytes },
    errors: ['ERR-3001', 'ERR-3002'],
    async answer(request, reply, { format }) {
      const docUid = requestedDocUid(request);
      const { edb } = callerOf(request).tenant;
      const file = await readInbound.file(edb, docUid, format);
      const shape = await shapeOf.inbound(edb, docUid, format, file);
      return sendFile(request, reply, file, { name: nameOf(file, docUid, format), shape });
    },
  });
}

function nameOf(file: InboundFile, docUid: DocUid, format: string): string {
  if (format === 'original' && file.fileName !== null) return file.fileName;
  return fileName(file.documentNumber, docUid, format === 'pdf' ? 'pdf' : 'xml');
}
