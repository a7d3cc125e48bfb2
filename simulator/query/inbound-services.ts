import { authorityError } from '../authority-error.ts';
import { asicContainer } from '../files/asic-container.ts';
import type { JsonObject } from '../json-object.ts';
import type { RegisteredDocument } from '../state/registered-document.ts';
import type { CurrentRules } from '../unpublished-rules.ts';
import { type DocumentNeeds, ownDocument } from './document-services.ts';
import { allocatePurchaseVat } from './purchase-vat.ts';
import { textOf } from './request-members.ts';
import { type Service, type ServiceRequest, type Services, signedPost } from './service.ts';

/** "Other", which needs a comment; its letter is Cyrillic. */
const OTHER_REASON = 'О-7';

/** Services for buyers alone, and the container, which both parties may download. */
export function inboundServices(
  needs: DocumentNeeds & { readonly purchaseVatPeriodMs: number; readonly rules: CurrentRules },
): Services {
  return [
    ['/api/v1/documents/purchase-invoice/accept-reject', signedPost((request) => decide(needs, request))],
    ['/api/v1/documents/purchase-vat-totals', purchaseVat(needs)],
    ['/api/v1/documents/invoice', container(needs)],
  ];
}

function decide({ state, catalogue }: DocumentNeeds, { caller, body, now }: ServiceRequest): JsonObject {
  const euid = textOf(body, 'euid');
  const { isAccepted, comment = null } = body;
  if (typeof isAccepted !== 'boolean') throw authorityError('E4011', 'IsAccepted must not be null', 'isAccepted');
  const document = ownDocument(state, 'buyer', caller, euid, 'E4008');
  requireUndecided(document);
  const change = { euid, from: '01', at: now.getTime(), userId: caller.eujpId } as const;
  const commentText = comment === null ? null : String(comment);
  if (isAccepted) {
    state.record({ kind: 'status', change: { ...change, to: '03', comment: commentText } });
    return {};
  }
  const reason = catalogue.find('reject-reason', String(body['rejectReasonCode'] ?? ''));
  if (reason === undefined) throw authorityError('E1002', 'Reject reason not found', 'rejectReasonCode');
  if (reason.code === OTHER_REASON && (commentText ?? '').trim() === '') {
    throw authorityError('E5011', `Reject reason ${reason.code} needs a comment`, 'comment');
  }
  const { code: rejectReasonCode, rejectReason } = reason;
  state.record({
    kind: 'status',
    change: { ...change, to: '05', comment: commentText, rejectReasonCode, rejectReason },
  });
  return {};
}

function requireUndecided({ status, euid }: RegisteredDocument): void {
  if (status === '10') throw authorityError('E1022', `Status of document ${euid} cannot be changed`, 'euid');
  if (status !== '01') {
    throw authorityError('E1016', `Document ${euid} is not NEW and cannot be accepted or rejected`, 'euid');
  }
}

function purchaseVat(needs: DocumentNeeds & { readonly purchaseVatPeriodMs: number }): Service {
  return {
    method: 'POST',
    access: 'signed or plain',
    answer: (request) => ({ kind: 'members', members: allocatePurchaseVat(needs, request) }),
  };
}

const CONTAINER_ACCESS = { signed: 'signed', unsigned: 'unsigned', both: 'signed or plain' } as const;

function container({ state, rules }: DocumentNeeds & { readonly rules: CurrentRules }): Service {
  return {
    method: 'POST',
    access: () => CONTAINER_ACCESS[rules.current().containerRequests],
    answer: ({ caller, body }) => {
      const { eujpId, edb } = caller;
      if (!state.registry.hasPrivilege(eujpId, edb, 'DA')) {
        throw authorityError('E1011', `User ${eujpId} has no privilege DA for company ${edb}`);
      }
      const document = ownDocument(state, 'either', caller, textOf(body, 'euid'), 'E1021');
      return { kind: 'file', contentType: 'application/vnd.etsi.asic-s+zip', content: asicContainer(document) };
    },
  };
}
