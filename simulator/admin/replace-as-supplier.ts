import { randomBytes, sign } from 'node:crypto';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { JsonObject } from '../json-object.ts';
import type { SignedPayload } from '../receiver/checks/document-schema.ts';
import type { RegisterDocument } from '../receiver/register-document.ts';
import { REPLACED_REFERENCE } from '../receiver/replaced-document.ts';
import { payloadText } from '../request-checks/envelope.ts';
import { skopjeTime } from '../skopje-time.ts';
import { createKeyPair, type KeyPair } from '../state/issue-certificate.ts';
import type { RegisteredDocument } from '../state/registered-document.ts';
import type { State } from '../state/state.ts';
import { InvalidInput } from './invalid-input.ts';

export type Replacement = {
  readonly kind: 'void' | 'correct';
  readonly euid: string;
  readonly reasonCode: string | null;
  readonly comment: string | null;
};

export type ReplaceAsSupplier = (replacement: Replacement, now: Date) => JsonObject;

const NUMBER_LENGTH = 20;
const DOC_ID_BYTES = 10;

/** Of items, totals of the document and VAT rows: what a void negates. Prices of a unit and rates stay as they are (§3.10). */
const NEGATED = /^(?:docItemQty|docItemTotal.*|doc.*Amount.*|vat(?:Taxable|Total)?Amount)$/u;
const PER_UNIT = /^docItemUnit/u;

let keys: KeyPair | null = null;

/**
 * Voids or corrects a document in the place of its supplier: registers what the supplier would send (the authority's published
 * reference, §3.10), also after the buyer has decided, as if the buyer had confirmed it. It is signed with a key of no
 * certificate.
 */
export function createReplaceAsSupplier(
  state: State,
  catalogue: Catalogue,
  register: RegisterDocument,
): ReplaceAsSupplier {
  return (replacement, now) => {
    const replaced = replaceable(state, replacement.euid);
    const original = JSON.parse(payloadText(replaced.jws)) as SignedPayload;
    const payload = {
      requestTimestamp: skopjeTime(now),
      document: replacingDocument(original, replaced, replacement, catalogue),
      ...reasonOf(replacement, catalogue),
    } as unknown as SignedPayload;
    const sender = { caller: { eujpId: replaced.userId, edb: replaced.seller }, jws: signed(payload) };
    const { euid: replacedBy } = register(payload, sender, now);
    return { euid: replaced.euid, status: state.documents.find(replaced.euid)?.status, replacedBy };
  };
}

function replaceable({ documents }: State, euid: string): RegisteredDocument {
  const document = documents.find(euid);
  if (document === undefined) throw new InvalidInput(`There is no document ${euid}.`);
  if (document.status === '07' || document.status === '09' || document.docStorno === 1) {
    throw new InvalidInput(`Document ${euid} is voided or corrected already, or is a void itself.`);
  }
  return document;
}

function replacingDocument(
  { document }: SignedPayload,
  { euid, docDate, docNumber }: RegisteredDocument,
  { kind }: Replacement,
  catalogue: Catalogue,
): JsonObject {
  const content = kind === 'void' ? (negated(document) as typeof document) : document;
  const header = {
    ...document.header,
    docStorno: kind === 'void' ? 1 : 2,
    docNumber: [...`${kind === 'void' ? 'ST' : 'KOR'}-${docNumber}`].slice(0, NUMBER_LENGTH).join(''),
    docId: randomBytes(DOC_ID_BYTES).toString('hex'),
  };
  const docNameRef = catalogue.find('ref-document-types', REPLACED_REFERENCE)?.name ?? '';
  const reference = { docTypeRef: REPLACED_REFERENCE, docNameRef, docDateRef: docDate, docNumberRef: euid };
  return { ...content, header, docReferences: [reference] };
}

function negated(value: unknown, member = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => negated(one));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, negated(one, name)]));
  }
  const isNegated = typeof value === 'number' && value !== 0 && NEGATED.test(member) && !PER_UNIT.test(member);
  return isNegated ? -value : value;
}

function reasonOf({ kind, reasonCode, comment }: Replacement, catalogue: Catalogue): JsonObject {
  if (kind === 'void') {
    const voidCode = reasonCode ?? 'S-1';
    const reason = catalogue.find('void-reasons', voidCode);
    if (reason === undefined) throw new InvalidInput(`There is no void reason ${voidCode}.`);
    return { voidReason: { voidCode, voidReason: reason.voidReason, voidComment: comment } };
  }
  const correctionReasonCode = reasonCode ?? 'C01';
  const reason = catalogue.find('correction-reason', correctionReasonCode);
  if (reason === undefined) throw new InvalidInput(`There is no correction reason ${correctionReasonCode}.`);
  const { correctionReason } = reason;
  return { correctionReason: { correctionReasonCode, correctionReason, correctionReasonComment: comment } };
}

function signed(payload: unknown): string {
  keys ??= createKeyPair();
  const text = [{ alg: 'RS256' }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const content = text.join('.');
  return `${content}.${sign('sha256', Buffer.from(content), keys.privateKey).toString('base64url')}`;
}
