import type { ShapeOfFile } from '../../application/files/document-shape.ts';
import type { ReadOutbound } from '../../application/outbound/read-outbound.ts';
import { OUTBOUND_REPRESENTATIONS } from '../../domain/documents/outbound-document.ts';
import { fileName, sendFile } from '../answers/file-response.ts';
import { documentPath } from '../answers/schemas.ts';
import { choice } from '../requests/query.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { addCall, type Mount, storedBytes } from '../route.ts';

const PARAMETERS = { format: choice('Which stored file of the document.', OUTBOUND_REPRESENTATIONS, 'ubl') };

const EXTENSIONS: Readonly<Record<string, string>> = { ubl: 'xml', pdf: 'pdf', ujp: 'asics' };

type Needs = { readonly readOutbound: ReadOutbound; readonly shapeOf: ShapeOfFile };

export function readOutboundFileRoute(mount: Mount, { readOutbound, shapeOf }: Needs): void {
  addCall(mount, {
    method: 'GET',
    path: '/outbound/:docUid/file',
    operationId: 'readOutboundFile',
    summary: 'Downloads one stored representation of an outbound document.',
    description:
      'ubl is the document exactly as it was submitted, pdf the first PDF that was embedded in it, ujp the file that the authority returned. ERR-3002 where there is none; with Retry-After while ujp is still on its way, usually a second or two after status 40. The bytes never change.',
    tag: 'outbound',
    params: documentPath,
    parameters: PARAMETERS,
    success: { 200: storedBytes },
    errors: ['ERR-3001', 'ERR-3002'],
    async answer(request, reply, { format }) {
      const docUid = requestedDocUid(request);
      const file = await readOutbound.file(callerOf(request).tenant.edb, docUid, format);
      const name = fileName(file.documentNumber, docUid, EXTENSIONS[format] ?? 'bin');
      return sendFile(request, reply, file, { name, shape: shapeOf.outbound(format, file) });
    },
  });
}
