import type { ReadCachedCodeList } from '../../../application/code-lists/cached-code-list.ts';
import { NoRoomForAnswer } from '../../../application/errors/authority-answers.ts';
import { type Authority, AuthorityCallError, REFUSALS } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import { entriesInForce } from '../../../domain/values/code-list.ts';
import { skopjeDay } from '../../../domain/values/skopje-day.ts';
import { isJsonObject, parseFlatJson } from '../answers/json-object.ts';
import type { UjpPayload } from '../conversion/payload.ts';
import { CHOSEN_LENGTH, lengthOf } from '../conversion/text-limits.ts';
import { documentId } from '../preparation/document-id.ts';
import { plainJson } from '../preparation/plain-json.ts';
import type { AuthorityQueries } from '../services/authority-queries.ts';
import { differencesOf, documentIn } from '../services/registered-payloads.ts';
import { voidPayload } from './void-payload.ts';

type Voided = Pick<Parameters<Authority['prepareVoid']>[1], 'docUid' | 'euid' | 'sent'>;

type Needs = {
  readonly queries: Pick<AuthorityQueries, 'registeredPayload' | 'registeredUnderNumber'>;
  readonly lists: ReadCachedCodeList;
  readonly clock: Clock;
};

/** The reference from a void to the document that it voids. */
const VOIDED = 'ST';
const NUMBER_SUFFIX = '-ST';

/**
 * The authority's own copy is taken where ours is not kept any more: a container holds it too, but what is inside a container is not
 * published, and this copy is what the void is compared with.
 */
export function prepareVoid({ queries, lists, clock }: Needs): Authority['prepareVoid'] {
  return async (tenant, { docUid, euid, sent, reason, isNumberShared }) => {
    const original = readPayload(await ownText(queries, tenant, { docUid, euid, sent }));
    if (original === null) return failed(message('voided-copy-unreadable'));
    const { header } = original.document;
    if (header.docStorno !== 0 && header.docStorno !== 2) return failed(message('void-not-voidable'));
    const { entries } = await lists(tenant, 'reference-document-types');
    const type = entriesInForce(entries, skopjeDay(clock.now())).find(({ code }) => code === VOIDED);
    if (type === undefined) return failed(message('void-type-unserved'));
    const docId = documentId(tenant.edb, docUid, 'void');
    const reference = {
      docTypeRef: type.code,
      docNameRef: type.name,
      docDateRef: header.docDate,
      docNumberRef: euid,
    };
    const voidReason = { voidCode: reason.code, voidReason: reason.name, voidComment: reason.comment };
    const numbered = (docNumber: string) => {
      const text = plainJson(voidPayload(original, { docId, docNumber, reference, voidReason }));
      return { docTypeCode: header.docType, docNumber, docDate: header.docDate, docId, text };
    };
    const document = numbered(numberOf(header.docNumber, docId));
    // An earlier void of ours may have been given up and registered all the same; a document may have the void's number.
    const { registration, isNumberTaken } = await queries.registeredUnderNumber(tenant, {
      ...document,
      isNumberShared: (found) => isNumberShared(document.docNumber, found),
    });
    const toSend = isNumberTaken ? numbered(docId) : document;
    if (registration !== null) return { outcome: 'registered', registration, document: toSend };
    return { outcome: 'prepared', document: toSend };
  };
}

/**
 * Whether a void has a number of its own is not published. It gets one that shows whose void it is, so that it is refused neither as
 * the original's double nor as somebody else's; where that is too long or taken, its identifier.
 */
function numberOf(original: string, docId: string): string {
  const number = `${original}${NUMBER_SUFFIX}`;
  return lengthOf(number) <= CHOSEN_LENGTH.documentNumber ? number : docId;
}

function readPayload(text: string): UjpPayload | null {
  const payload = parseFlatJson(text);
  const document = isJsonObject(payload) ? payload['document'] : null;
  const isWhole =
    isJsonObject(document) &&
    isJsonObject(document['header']) &&
    isJsonObject(document['docTotals']) &&
    Array.isArray(document['docItems']) &&
    Array.isArray(document['vatTotals']);
  return isWhole ? (payload as unknown as UjpPayload) : null;
}

/**
 * What was sent. Something on the way may have mixed answers up, also the one by which the document has its EUID: then the authority has
 * another document under it, which would be voided.
 */
async function ownText(queries: Needs['queries'], tenant: Tenant, { docUid, euid, sent }: Voided): Promise<string> {
  const copy = await queries.registeredPayload(tenant, euid).catch((error: unknown) => {
    if (sent !== null && saysNothing(error)) return null;
    throw error;
  });
  const theirs = documentIn(copy ?? '');
  // It may lack what a void needs and still show that it is another one.
  if (!isJsonObject(theirs)) return sent ?? '';
  const header = isJsonObject(theirs['header']) ? theirs['header'] : {};
  // What is sent always has one. That of a document of another program may lack it, or have another form.
  const { docId = null } = header;
  if (docId === null && sent === null) return '';
  const isOther =
    docId === null
      ? differsFrom({ ...theirs, header }, tenant, readPayload(sent ?? ''))
      : docId !== documentId(tenant.edb, docUid);
  if (isOther) throw copyOfAnother(docUid, euid);
  return sent ?? copy ?? '';
}

/** Without a `docId`, the number, the date and the seller still show another document. */
function differsFrom(theirs: Parameters<typeof differencesOf>[0], { edb }: Tenant, sent: UjpPayload | null): boolean {
  const { docNumber = null, docDate = null } = sent?.document.header ?? {};
  return differencesOf(theirs, edb, { docNumber, docDate }).length > 0;
}

/** It may not be read, or not by us: where it is kept here, it is not needed. One that found no room here is read a moment later. */
function saysNothing(error: unknown): boolean {
  if (error instanceof NoRoomForAnswer) return false;
  return error instanceof AuthorityCallError && (REFUSALS.has(error.kind) || error.kind === 'error');
}

function copyOfAnother(document: DocUid, euid: string): AuthorityCallError {
  const sentence = `The authority answered with the payload of another document than ${euid}`;
  const reason = message('void-euid-of-another', { document });
  return new AuthorityCallError(sentence, { kind: 'error', isUncertain: true, reason });
}

function failed(reason: Message) {
  return { outcome: 'failed', reason } as const;
}
