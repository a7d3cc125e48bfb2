import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditEntry } from '../../application/ports/storage/audit-store.ts';
import { onClose } from '../connections/on-close.ts';
import { auditEntry, docUidInPath } from './request-context.ts';

export type RecordCall = (entry: AuditEntry, isAdmitted: boolean) => void;

/** Records the call when it is over, unless the transaction of its change has recorded it. */
export function auditCall(request: FastifyRequest, reply: FastifyReply, recordCall: RecordCall): void {
  // `close` also comes when the client disconnects: the call may have been carried out and must be audited.
  onClose(reply.raw, () => {
    if (request.context.isAudited) return;
    const docUid = request.context.docUid ?? docUidInPath(request);
    recordCall(auditEntry(request, { httpStatus: reply.statusCode, docUid }), request.context.isAdmitted);
  });
}
