import { UnusableAnswer } from '../../../application/errors/authority-answers.ts';
import type { PreparedDocument } from '../../../application/ports/authority.ts';
import { type Edb, parseEdb } from '../../../domain/accounts/edb.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { textInJws } from '../../../domain/documents/signed-text.ts';
import { isTooMuch } from '../answers/answer-error.ts';
import { authorityDate } from '../answers/authority-date.ts';
import { isJsonObject, type JsonObject, parseFlatJson } from '../answers/json-object.ts';
import { unreadableMember } from '../answers/list-member.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';

const PAYLOAD = documentsService('sales-invoice/payload', true);
const PAYLOADS = documentsService('sales-invoice/payload/list', true);

/** What the payload of a registered document says; the seller is somebody else where the taxpayer has only sent it. */
export type RegisteredContent = {
  readonly text: string;
  readonly header: JsonObject;
  /** Null where it is missing, or is no text. */
  readonly docId: string | null;
  readonly isSentForAnother: boolean;
};

/** What is known of a registered document before its payload is read; null where its list does not say it. */
export type KnownDocument = {
  readonly euid: string;
  readonly docNumber: string | null;
  readonly docDate: string | null;
};

/** What tells the document that is looked for. */
export type SoughtMarks = Pick<PreparedDocument, 'docId' | 'docNumber' | 'docDate'>;

/** The text that was signed for a registered document, as the authority keeps it. */
export async function registeredPayload(caller: AuthorityCaller, tenant: Tenant, euid: string): Promise<string> {
  const { payload } = await caller.postSigned(tenant, PAYLOAD, { euid });
  const text = signedTextOf(payload);
  if (text === null) throw unreadableMember(`payload of ${euid}`, PAYLOAD);
  return text;
}

/** What a registered document says of itself. Throws where it cannot be read, or is that of another document. */
export async function registeredContent(
  caller: AuthorityCaller,
  tenant: Tenant,
  known: KnownDocument,
): Promise<RegisteredContent> {
  return contentOf(await registeredPayload(caller, tenant, known.euid), tenant, known);
}

/** Which of several registered documents has this `docId`; one request for all of them where their payloads fit into an answer. */
export async function findByDocId(
  caller: AuthorityCaller,
  tenant: Tenant,
  documents: readonly KnownDocument[],
  sought: SoughtMarks,
): Promise<string | null> {
  const payloads = await payloadsOf(
    caller,
    tenant,
    documents.map(({ euid }) => euid),
  );
  if (payloads === null) {
    const half = Math.ceil(documents.length / 2);
    return (
      (await findByDocId(caller, tenant, documents.slice(0, half), sought)) ??
      (await findByDocId(caller, tenant, documents.slice(half), sought))
    );
  }
  return firstWithDocId(documents, sought, (known) => {
    const payload = payloads.get(known.euid.toLowerCase());
    // What the answer leaves out may be the one that is looked for.
    return payload === undefined ? registeredContent(caller, tenant, known) : contentOf(payload, tenant, known);
  });
}

/**
 * Throws where two have the same text, which states when it was signed: one of them is then the payload of another document. And where one
 * shows no `docId` and nothing else by which it is another one than that which is looked for.
 */
export async function firstWithDocId(
  documents: readonly KnownDocument[],
  sought: SoughtMarks,
  contentFor: (known: KnownDocument) => RegisteredContent | Promise<RegisteredContent>,
): Promise<string | null> {
  const seen = new Set<string>();
  for (const known of documents) {
    const content = await contentFor(known);
    if (content.docId === sought.docId) return known.euid;
    if (content.docId === null && mayBe(content, sought)) throw unreadableMember(`docId of ${known.euid}`, PAYLOAD);
    if (seen.has(content.text)) throw ofAnotherDocument(known, [`that with the docId ${content.docId} again`]);
    seen.add(content.text);
  }
  return null;
}

function mayBe({ header, isSentForAnother }: RegisteredContent, sought: SoughtMarks): boolean {
  return !isSentForAnother && otherNumberOrDate(header, sought).length === 0;
}

/** By EUID in lower case; null where they are too many for one answer. */
async function payloadsOf(
  caller: AuthorityCaller,
  tenant: Tenant,
  euids: readonly string[],
): Promise<ReadonlyMap<string, string> | null> {
  try {
    const { invoices } = await caller.postSigned(tenant, PAYLOADS, { euids });
    const rows = Array.isArray(invoices) ? invoices.filter(isJsonObject) : [];
    return new Map(
      rows.flatMap(({ euid, payload }) => {
        const text = signedTextOf(payload);
        return typeof euid === 'string' && text !== null ? [[euid.toLowerCase(), text] as const] : [];
      }),
    );
  } catch (error) {
    if (isTooMuch(error) && euids.length > 1) return null;
    throw error;
  }
}

function contentOf(text: string, tenant: Tenant, known: KnownDocument): RegisteredContent {
  const document = documentIn(text);
  const header = isJsonObject(document) ? document['header'] : null;
  if (!isJsonObject(document) || !isJsonObject(header)) throw unreadableMember(`payload of ${known.euid}`, PAYLOAD);
  const differences = differencesOf({ ...document, header }, tenant.edb, known);
  if (differences.length > 0) throw ofAnotherDocument(known, differences);
  const { sellerTin } = partiesOf(document);
  const isSentForAnother = !isOfTaxpayer({ sellerTin }, tenant.edb);
  const { docId } = header;
  return { text, header, docId: typeof docId === 'string' ? docId : null, isSentForAnother };
}

function partiesOf({ seller, sender }: JsonObject) {
  return {
    sellerTin: isJsonObject(seller) ? seller['sellerTin'] : null,
    senderTin: isJsonObject(sender) ? sender['senderTin'] : null,
  };
}

/** As a text or as a number; null where none is stated. */
export function statedEdb(tin: unknown): Edb | null {
  return typeof tin === 'string' || typeof tin === 'number' ? parseEdb(String(tin)) : null;
}

/** Issued or sent by the taxpayer, or not said by whom. */
export function isOfTaxpayer({ sellerTin, senderTin }: JsonObject, taxpayer: Edb): boolean {
  const stated = [sellerTin, senderTin].flatMap((tin) => statedEdb(tin) ?? []);
  return stated.length === 0 || stated.includes(taxpayer);
}

/** Without the blanks around it; null where none is stated. */
export function shownNumber({ docNumber = null }: JsonObject): string | null {
  return docNumber === null ? null : String(docNumber).trim() || null;
}

/** In whatever letters and blanks the authority shows it: what was signed, and not its list, says how it is written. */
export function isSameNumber(one: string, other: string): boolean {
  const [first, second] = [one, other].map((number) => number.normalize('NFKC').replace(/\s+/gu, '').toLowerCase());
  return first === second;
}

/** What shows that it is not the document that was asked for. */
export function differencesOf(
  { header, ...document }: JsonObject & { readonly header: JsonObject },
  taxpayer: Edb,
  known: Pick<KnownDocument, 'docNumber' | 'docDate'>,
): readonly string[] {
  const seller = isOfTaxpayer(partiesOf(document), taxpayer) ? [] : ['another seller'];
  return [...seller, ...otherNumberOrDate(header, known)];
}

function otherNumberOrDate(
  header: JsonObject,
  { docNumber, docDate }: Pick<KnownDocument, 'docNumber' | 'docDate'>,
): readonly string[] {
  const number = shownNumber(header);
  const date = authorityDate(header['docDate']);
  return [
    ...(number !== null && docNumber !== null && !isSameNumber(number, docNumber) ? ['another number'] : []),
    ...(date !== null && docDate !== null && date !== docDate ? ['another date'] : []),
  ];
}

/** It says nothing about the one that was asked for: something on the way may have mixed the answers up. */
function ofAnotherDocument({ euid }: KnownDocument, differences: readonly string[]): UnusableAnswer {
  const sentence = `The authority answered with the payload of another document than ${euid}: ${differences.join(', ')}`;
  return new UnusableAnswer(sentence);
}

/**
 * The authority describes the payload as a text with what was signed. Of documents that were sent nobody has seen one: the same as an object, as
 * the JWS, as what was posted with the JWS in it, or as the document alone says no less. Null for anything else.
 */
function signedTextOf(payload: unknown): string | null {
  if (isJsonObject(payload)) return signedTextOf(JSON.stringify(payload));
  if (typeof payload !== 'string') return null;
  const text = textInJws(payload) ?? payload;
  const content = parseFlatJson(text);
  if (!isJsonObject(content) || 'document' in content) return text;
  if (typeof content['jws'] === 'string') return textInJws(content['jws']) ?? text;
  return isJsonObject(content['header']) ? `{"document":${text}}` : text;
}

/** The document in a signed text; null when the text is not JSON with a document. */
export function documentIn(text: string): unknown {
  const signed = parseFlatJson(text);
  return isJsonObject(signed) ? signed['document'] : null;
}
