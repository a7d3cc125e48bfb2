import { isUtf8 } from 'node:buffer';
import type { Arrival, ArrivalList, Authority } from '../../../application/ports/authority.ts';
import { AuthorityCallError, isRefusedByAuthority } from '../../../application/ports/authority.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { isEuid } from '../../../domain/documents/euid.ts';
import { readLenientAnswer } from '../answers/json-answer.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { isPage, listMember, pageOfSeveral, unreadableMember } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { type AuthorityService, documentsService } from '../gateway/authority-service.ts';
import { isAnswerOfAnother } from '../shapes/service-shapes.ts';
import { NO_FACTS, payloadFacts } from './arrival-facts.ts';
import { readArrivalList } from './arrival-list.ts';
import type { AuthorityQueries } from './authority-queries.ts';
import { listInParts } from './list-in-parts.ts';

const LIST: AuthorityService<JsonObject> = {
  ...documentsService('purchase-invoice/invoices-status'),
  read: readLenientAnswer,
};
const PAYLOADS = documentsService('purchase-invoice/payload/list', true);
const PDF = documentsService('purchase-invoice/pdf', true);
const NOTHING_FOUND = ['E1018', 'E4008'];
const NONE: JsonObject = { success: true, invoices: [] };
const PDF_START = '%PDF-';
const NO_TEXT = 'The answer holds no payload that is a text in UTF-8';
const NOT_GIVEN = 'The authority lists the document and does not give it';
/** No document of the authority's is shorter, and no code, name or date beside one is longer. */
const SHORTEST_DOCUMENT = 200;
const BESIDE_IT: ReadonlySet<string> = new Set(['success', 'createdDate', 'errorStatus', 'euid']);
/** What no answer but one about documents has. */
const OF_DOCUMENTS = ['invoices', 'payload', 'document'];

type WholeAnswer = { readonly answer: JsonObject; readonly bytes: Uint8Array };

const WHOLE_PAYLOADS: AuthorityService<WholeAnswer> = {
  ...PAYLOADS,
  read: (exchange) => ({ answer: readLenientAnswer(exchange), bytes: exchange.bytes }),
};

/** Documents that the authority holds for the tenant as buyer. */
export function arrivals(
  caller: AuthorityCaller,
): Pick<Authority, 'arrivals' | 'arrived' | 'arrivedInAnyShape' | 'arrivedPdf'> {
  const { askForPdf } = arrivalAnswers(caller);
  return {
    arrivals: async (tenant, from, to) => {
      const parts = await listInParts(from, to, (first, last) => listedArrivals(caller, tenant, first, last));
      return {
        listed: parts.flatMap(({ listed }) => listed),
        unreadableRows: parts.flatMap(({ unreadableRows }) => unreadableRows),
      };
    },
    arrived: async (tenant, euids) => {
      if (euids.length === 0) return [];
      return requestedArrivals(euids, await caller.postSigned(tenant, WHOLE_PAYLOADS, { euids }));
    },
    arrivedInAnyShape: async (tenant, euid) => {
      const given = await caller.postSigned(tenant, WHOLE_PAYLOADS, { euids: [euid] });
      const [arrival] = requestedArrivals([euid], given);
      if (arrival !== undefined) return arrival;
      if (!holdsDocument(given, euid)) throw new AuthorityCallError(NOT_GIVEN, { kind: 'error' });
      return { euid, original: given.bytes, facts: NO_FACTS, unreadable: NO_TEXT };
    },
    arrivedPdf: async (tenant, euid) => {
      try {
        return readPdf(await askForPdf(tenant, euid));
      } catch (error) {
        if (error instanceof AuthorityCallError && isRefusedByAuthority(error)) return null;
        throw error;
      }
    },
  };
}

async function listedArrivals(caller: AuthorityCaller, tenant: Tenant, from: string, to: string): Promise<ArrivalList> {
  const asked = caller.postSigned(tenant, LIST, { dateFrom: from, dateTo: to });
  const answer = await unlessNothingFound(asked, NOTHING_FOUND, NONE);
  const rows = listMember(answer, 'invoices', LIST);
  const list = readArrivalList(rows, tenant.edb);
  if (list === null) throw unreadableMember('invoices of this buyer', LIST);
  if (!isPage(answer, rows)) return list;
  if (from !== to) throw pageOfSeveral('invoices', LIST);
  // What is on it is collected; that there are others is on record.
  const page = `One page of several of the list of ${from}: the documents on the others are not known`;
  return { ...list, unreadableRows: [page, ...list.unreadableRows] };
}

/** The answers of the two services about one document, also where they say that there is none, and refusals as call errors. */
export function arrivalAnswers(caller: AuthorityCaller): Pick<AuthorityQueries, 'askForPayload' | 'askForPdf'> {
  return {
    askForPayload: async (tenant, euid) =>
      ownAnswer(await caller.postSigned(tenant, PAYLOADS, { euids: [euid] }), 'invoices', PAYLOADS),
    askForPdf: async (tenant, euid) => ownAnswer(await caller.postSigned(tenant, PDF, { euid }), 'pdfBase64', PDF),
  };
}

/** What neither has its member nor calls itself a success is the answer of something else, and so is that of another service. */
function ownAnswer(answer: JsonObject, member: string, service: { readonly path: string }): JsonObject {
  const isOther = answer['success'] !== true || isAnswerOfAnother(service, answer);
  if (answer[member] === undefined && isOther) throw unreadableMember(member, service);
  return answer;
}

/**
 * Only documents that were requested, each once, whatever the case of the EUID's letters. None of an answer that is not UTF-8: its texts are
 * not those that the authority gave.
 */
function requestedArrivals(euids: readonly string[], { answer, bytes }: WholeAnswer): readonly Arrival[] {
  const { invoices } = answer;
  const rows: readonly unknown[] = Array.isArray(invoices) && isUtf8(bytes) ? invoices : [];
  const requested = new Map(euids.map((euid) => [euid.toLowerCase(), euid]));
  const found = new Map<string, Arrival>();
  for (const row of rows.filter(isJsonObject)) {
    const { euid: shown, payload } = row;
    const euid = typeof shown === 'string' ? requested.get(shown.toLowerCase()) : undefined;
    if (euid === undefined || found.has(euid) || typeof payload !== 'string' || payload === '') continue;
    found.set(euid, { euid, original: new TextEncoder().encode(payload), ...payloadFacts(payload) });
  }
  return [...found.values()];
}

/**
 * Whether an answer of another shape than expected holds the document at all, under whatever name and in whatever form. If not,
 * storing the answer in place of the document would lose the document: it may be given later. What names neither documents nor
 * this one is the answer of another service or of something on the way.
 */
function holdsDocument({ answer, bytes }: WholeAnswer, euid: string): boolean {
  const { invoices } = answer;
  if (!OF_DOCUMENTS.some((member) => Object.hasOwn(answer, member)) && !names(bytes, euid)) return false;
  const rows = Array.isArray(invoices) ? invoices.filter((row) => !isOfAnother(row, euid)) : [answer];
  return rows.some((row) => (isJsonObject(row) ? membersOf(row) : [row]).some(isContent));
}

function names(bytes: Uint8Array, euid: string): boolean {
  return new TextDecoder('latin1').decode(bytes).toLowerCase().includes(euid.toLowerCase());
}

function isOfAnother(row: unknown, euid: string): boolean {
  return isJsonObject(row) && isEuid(row['euid']) && row['euid'].toLowerCase() !== euid.toLowerCase();
}

function membersOf(row: JsonObject): readonly unknown[] {
  return Object.entries(row).flatMap(([name, value]) => (BESIDE_IT.has(name) ? [] : [value]));
}

function isContent(value: unknown): boolean {
  if (typeof value === 'string') return value.length >= SHORTEST_DOCUMENT;
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function readPdf({ pdfBase64 }: JsonObject): Uint8Array | null {
  if (typeof pdfBase64 !== 'string') return null;
  const bytes = Buffer.from(pdfBase64, 'base64');
  return bytes.subarray(0, PDF_START.length).toString('latin1') === PDF_START ? bytes : null;
}
