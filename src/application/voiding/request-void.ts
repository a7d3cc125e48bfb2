import type { Edb } from '../../domain/accounts/edb.ts';
import { NEW_STATUS } from '../../domain/documents/authority-status.ts';
import { type DocUid, docUidTime } from '../../domain/documents/doc-uid.ts';
import type { OutboundDocument } from '../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { type Message, message } from '../../domain/messages/message.ts';
import { oneLineText } from '../../domain/values/one-line-text.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import type { ReadCodeList } from '../code-lists/read-code-list.ts';
import { hasEuidOfAnother } from '../delivery/settlement/mistaken-owner.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { noSuchOutbound } from '../outbound/find-outbound-tenant.ts';
import { isOfFormerEnvironment, readEnvironmentPast } from '../outbound/former-environment.ts';
import type { Clock } from '../ports/platform.ts';
import type { OutboundVoid, VoidReason } from '../ports/storage/outbound/void-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = {
  readonly storage: Storage;
  readonly readList: ReadCodeList;
  readonly clock: Clock;
  readonly record: RecordCommand;
};

export type RequestVoid = {
  /** Puts the void on record; a worker sends it. */
  readonly request: (tenant: Edb, docUid: DocUid, reasonCode: string, comment: string | null) => Promise<OutboundVoid>;
  readonly find: (tenant: Edb, docUid: DocUid) => Promise<OutboundVoid | null>;
};

/** Not published: as cautious as for the comment of a correction. */
const LONGEST_COMMENT = 250;

export function requestVoid({ storage, readList, clock, record }: Needs): RequestVoid {
  async function servedReason(tenant: Edb, reasonCode: string, comment: string | null): Promise<VoidReason> {
    const caller = await storage.tenants.find(tenant);
    if (caller === null) throw new OperatorError('not-found', message('no-tenant', { tenant }));
    const reasons = await readList(caller, 'void-reasons');
    const reason = reasons.find(({ code }) => code === reasonCode);
    if (reason === undefined) {
      const served = reasons.map(({ code, name }) => `${code} ${name}`).join('; ');
      throw new OperatorError('refused', message('void-reason-unknown', { reason: reasonCode, reasons: served }));
    }
    return { code: reason.code, name: reason.name, comment };
  }

  return {
    find: (tenant, docUid) => storage.voids.find(tenant, docUid),
    async request(tenant, docUid, reasonCode, comment) {
      const document = await storage.outbound.find(tenant, docUid);
      if (document === null) throw noSuchOutbound(docUid);
      refuseUnlessNew(document);
      const past = await readEnvironmentPast(storage)(tenant, docUidTime(docUid));
      const reason = await servedReason(tenant, reasonCode, wholeComment(comment));
      return storage.transaction(async (tx) => {
        const current = await tx.outbound.find(tenant, docUid);
        if (current !== null) refuseUnlessNew(current);
        if (await isOfFormerEnvironment(tx, tenant, document, past)) {
          throw new OperatorError('refused', message('void-former-environment', { document: docUid }));
        }
        if (await hasEuidOfAnother(tx, tenant, document)) {
          throw new OperatorError('refused', message('void-euid-of-another', { document: docUid }));
        }
        if (!(await tx.voids.request(tenant, docUid, reason, clock.now()))) {
          throw new OperatorError('refused', message('void-on-record', { document: docUid }));
        }
        await record(tx, { command: 'outbound void', target: `${docUid} ${reason.code}`, tenant, docUid });
        const requested = await tx.voids.find(tenant, docUid);
        if (requested === null) throw new Error(`The void of ${docUid} is not there.`);
        return requested;
      });
    },
  };
}

/** Half a comment could say something else. */
function wholeComment(comment: string | null): string | null {
  const line = comment === null ? null : oneLineText(comment, comment.length);
  if (line === null || line.length <= LONGEST_COMMENT) return line;
  throw new OperatorError(
    'refused',
    message('void-comment-too-long', { characters: line.length, most: LONGEST_COMMENT }),
  );
}

const WHY_NOT: Readonly<Record<string, Message>> = {
  '03': message('void-why-accepted'),
  '04': message('void-why-accepted-automatically'),
  '05': message('void-why-rejected'),
  '07': message('void-why-voided'),
  '09': message('void-why-corrected'),
  '10': message('void-why-no-decision'),
};

/** The authority refuses any other one (E1016); it is better said before anything is sent. */
function refuseUnlessNew({ docUid, status, ujp }: OutboundDocument): void {
  if (status !== OUTBOUND_STATUS.accepted || ujp === null || ujp.euid === null) {
    throw new OperatorError('refused', message('void-not-registered', { document: docUid, status }));
  }
  const { statusCode, statusName } = ujp;
  if (statusCode === NEW_STATUS) return;
  const why = WHY_NOT[statusCode ?? ''] ?? message('void-why-not-new');
  const shown = [statusCode, statusName].filter((part) => part !== null).join(' ');
  throw new OperatorError(
    'refused',
    message('void-not-new', { document: docUid, why, status: shown, new: NEW_STATUS }),
  );
}
