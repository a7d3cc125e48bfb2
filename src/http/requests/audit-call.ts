import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditEntry } from '../../application/ports/storage/audit-store.ts';
import type { CallsUnderWay } from '../connections/calls-under-way.ts';
import { auditEntry, docUidInPath } from './request-context.ts';

export type RecordCall = (entry: AuditEntry, isAdmitted: boolean) => void;

export type AuditNeeds = Pick<CallsUnderWay, 'onOver'> & { readonly recordCall: RecordCall };

/** Records the call when it is over, unless the transaction of its change has recorded it. */
export function auditCall(request: FastifyRequest, reply: FastifyReply, { recordCall, onOver }: AuditNeeds): void {
  // Also when the client disconnects: the call may be carried out all the same.
  onOver(reply.raw, () => {
    if (request.context.isAudited) return;
    const docUid = request.context.docUid ?? docUidInPath(request);
    recordCall(auditEntry(request, { httpStatus: reply.statusCode, docUid }), request.context.isAdmitted);
  });
}
