import { AuthorityError, type Finding } from '../authority-error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type HttpAnswer, jsonAnswer } from '../http-answer.ts';
import { payloadText } from '../request-checks/envelope.ts';
import { RECEIVER_CODES } from '../request-checks/error-codes.ts';
import { checkSignature } from '../request-checks/signature.ts';
import type { State } from '../state/state.ts';
import type { CurrentRules } from '../unpublished-rules.ts';
import { checkAmounts } from './amounts/amount-check.ts';
import { decimal } from './amounts/decimal.ts';
import { readWritten } from './amounts/written-numbers.ts';
import type { AuthorisedRequest } from './authorise-request.ts';
import { checkCodeLists } from './checks/code-list-check.ts';
import { checkDates } from './checks/date-check.ts';
import type { SignedPayload } from './checks/document-schema.ts';
import { checkStructure } from './checks/mandatory-fields.ts';
import { checkParties } from './checks/party-check.ts';
import { checkPayment } from './checks/payment-check.ts';
import { checkReasons } from './checks/reason-check.ts';
import { checkReferences } from './checks/reference-check.ts';
import type { RegisterDocument } from './register-document.ts';

export type SendNeeds = {
  readonly state: State;
  readonly catalogue: Catalogue;
  readonly rules: CurrentRules;
  readonly register: RegisterDocument;
  readonly portalUrl: () => string;
};

/** Checks a document in the authority's order and registers it; synchronous, so no other request comes in between. */
export function createSendInvoice(needs: SendNeeds): (authorised: AuthorisedRequest, now: Date) => HttpAnswer {
  const { state, register, portalUrl } = needs;
  return (authorised, now) => {
    const payload = checkContent(authorised, needs);
    checkSignature(authorised.envelope, authorised.certificate, now, RECEIVER_CODES);
    const { caller, envelope } = authorised;
    const { euid, buyer } = register(payload, { caller, jws: envelope.jws }, now);
    return jsonAnswer({
      euid,
      message: 'Фактура успешно зачувана',
      qr_link: `${portalUrl()}/euid/${euid}`,
      status: 200,
      e_invoice_user: buyer !== null && state.registry.hasUsers(buyer),
      timestamp: now.toISOString(),
    });
  };
}

function checkContent({ envelope }: AuthorisedRequest, { state, catalogue, rules }: SendNeeds): SignedPayload {
  const json = payloadText(envelope.jws);
  throwIfAny(checkStructure(envelope.payload, catalogue));
  const { findings, exact } = readWritten<SignedPayload>(json);
  throwIfAny(findings);
  const payload = envelope.payload as unknown as SignedPayload;
  const { document } = payload;
  // Before the references: a repeated void must get E1023, although the document it names is voided by now.
  throwIfAny(checkUniqueness(payload, state));
  const lists = catalogue.on(document.header.docDate);
  const inForce = rules.current();
  throwIfAny([
    ...checkParties(document, state.registry, lists),
    ...checkCodeLists(document, lists),
    ...checkReasons(payload, catalogue),
    ...checkPayment(document, lists),
    ...checkDates(document, inForce),
    ...checkReferences(document, state.documents, lists, inForce),
  ]);
  throwIfAny(checkAmounts(exact.document, lists, decimal(String(inForce.tolerance))));
  return payload;
}

function checkUniqueness({ document }: SignedPayload, { documents }: State): readonly Finding[] {
  const { docId } = document.header;
  if (!documents.hasDocId(document.seller.sellerTin ?? '', docId)) return [];
  const parameter = 'document.header.docId';
  return [{ code: 'E1023', message: `Invoice already exists for ID ${docId}`, parameter }];
}

function throwIfAny(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new AuthorityError(findings);
}
