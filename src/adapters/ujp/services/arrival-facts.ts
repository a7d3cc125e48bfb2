import type { Arrival, ArrivalFacts } from '../../../application/ports/authority.ts';
import { parseEdb } from '../../../domain/accounts/edb.ts';
import { oneLineText } from '../../../domain/values/one-line-text.ts';
import { isJsonObject, type JsonObject, parseFlatJson } from '../answers/json-object.ts';

const LONGEST_TAX_NUMBER = 30;
/** Far above what the authority allows in any of these. */
const LONGEST_TEXT = 200;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,6})?$/u;

export const NO_FACTS: ArrivalFacts = {
  senderName: null,
  senderEdb: null,
  senderCountry: null,
  documentNumber: null,
  amount: null,
  currency: null,
};

/** What a payload says of its document and why it cannot be read, if so; it is kept whatever it says. */
export function payloadFacts(payload: string): Pick<Arrival, 'facts' | 'unreadable'> {
  const content = parseFlatJson(payload);
  if (content === undefined) return { facts: NO_FACTS, unreadable: 'The payload is no readable JSON' };
  const document = members(content)['document'];
  if (!isJsonObject(document)) return { facts: NO_FACTS, unreadable: 'The payload holds no document' };
  const facts = documentFacts(document);
  const missing = [
    ...(facts.documentNumber === null ? ['number'] : []),
    ...(facts.senderName === null && facts.senderEdb === null ? ['sender'] : []),
    ...(facts.amount === null ? ['amount'] : []),
  ];
  if (missing.length === 0) return { facts, unreadable: null };
  return { facts, unreadable: `The payload does not say in the expected form: ${missing.join(', ')}` };
}

/** What a row of the list of arrivals says; it has neither the sender's name nor the currency. */
export function statusRowFacts(row: JsonObject): ArrivalFacts {
  const seller = text(row['sellerTin']);
  return {
    ...NO_FACTS,
    senderEdb: taxNumber(seller === null ? null : (parseEdb(seller) ?? seller)),
    documentNumber: text(row['docNumber']),
    amount: amount(row['docFinalAmount']) ?? decimalText(row['docFinalAmount']),
  };
}

function documentFacts(document: JsonObject): ArrivalFacts {
  const seller = members(document['seller']);
  const senderTin = text(seller['sellerTin']);
  return {
    senderName: text(seller['sellerName']),
    senderEdb: taxNumber(senderTin === null ? text(seller['sellerForeignTin']) : (parseEdb(senderTin) ?? senderTin)),
    senderCountry: text(seller['sellerCCode'])?.toUpperCase() ?? null,
    documentNumber: text(members(document['header'])['docNumber']),
    amount: amount(members(document['docTotals'])['docFinalAmount']),
    currency: text(members(document['docPayment'])['docCurrencyCode']),
  };
}

function members(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** One line of bounded length, without what breaks a list or what not every database takes; the original keeps it all. */
function text(value: unknown): string | null {
  return oneLineText(value, LONGEST_TEXT);
}

/** Lists are searched by it: what is longer than any tax number is none. */
function taxNumber(value: string | null): string | null {
  return value !== null && value.length <= LONGEST_TAX_NUMBER ? value : null;
}

function decimalText(value: unknown): string | null {
  return typeof value === 'string' && DECIMAL.test(value) ? value : null;
}

/** Plain notation, as amounts are kept. */
function amount(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const shortest = String(value);
  return shortest.includes('e') ? null : shortest;
}
