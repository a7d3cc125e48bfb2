import type { ArrivalFacts } from '../../../application/ports/authority.ts';
import { parseEdb } from '../../../domain/accounts/edb.ts';
import { oneLineText } from '../../../domain/values/one-line-text.ts';

const LONGEST_TAX_NUMBER = 30;
/** Far above what the authority allows in any of these. */
const LONGEST_TEXT = 200;

type Members = Readonly<Record<string, unknown>>;

/** What a list shows of a document of the authority's, as far as it can be read; it is kept whatever it says. */
export function arrivalFacts(payload: string): ArrivalFacts {
  const document = members(members(parsed(payload))['document']);
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

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function members(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** One line of bounded length, without what breaks a list or what not every database takes; the original keeps it all. */
function text(value: unknown): string | null {
  return oneLineText(value, LONGEST_TEXT);
}

/** Lists are searched by it: what is longer than any tax number is none. */
function taxNumber(value: string | null): string | null {
  return value !== null && value.length <= LONGEST_TAX_NUMBER ? value : null;
}

/** Plain notation, as amounts are kept. */
function amount(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const shortest = String(value);
  return shortest.includes('e') ? null : shortest;
}
