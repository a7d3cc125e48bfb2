import { isOftenForAHundred } from '../../../domain/invoices/stated-rate.ts';
import { authorityDate } from '../answers/authority-date.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { unreadableMember } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { ServedExchangeRate } from '../conversion/conversion-context.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { catalogueService } from '../gateway/authority-service.ts';
import type { AuthorityQueries } from './authority-queries.ts';

const SERVICE = catalogueService('currency-exchange/rate');
const NOTHING_FOUND = ['E4008', 'E5011'];
/** Misspelt by the authority; the correct spelling is accepted too, in case it is fixed. */
const MEMBER = 'currencyExcange';
const CORRECTED_MEMBER = 'currencyExchange';
const NO_RATE: JsonObject = { [MEMBER]: null };
/**
 * The National Bank quotes some currencies for a hundred units, and an answer does not say whether its rate is such a one. One unit of
 * those that are quoted so is worth about a denar at most; of the Indonesian rupiah alone a hundred are worth no more.
 */
const MOST_FOR_ONE_UNIT = 2;
/** Wider than every real rate, and within what JavaScript writes without an exponent, which `readRate` relies on. */
const MIN_RATE = 1e-6;
const MAX_RATE = 1e9;

export function exchangeRate(caller: AuthorityCaller): AuthorityQueries['exchangeRate'] {
  return async (tenant, currency, date) => {
    const asked = caller.post(tenant, SERVICE, { currencyName: currency, date });
    const answer = await unlessNothingFound(asked, NOTHING_FOUND, NO_RATE);
    const served = answer[MEMBER] === undefined ? answer[CORRECTED_MEMBER] : answer[MEMBER];
    if (served === null) return null;
    const read = isJsonObject(served) ? readRate(served, currency) : null;
    if (read === null) throw unreadableMember(MEMBER, SERVICE);
    return read;
  };
}

function readRate(served: JsonObject, currency: string): ServedExchangeRate | null {
  const quoted = Number(served['middleRate'] ?? Number.NaN);
  const isOfCurrency = (served['name'] ?? currency) === currency;
  const servedDate = authorityDate(served['date']);
  if (!isOfCurrency || servedDate === null || !(quoted >= MIN_RATE && quoted <= MAX_RATE)) return null;
  // Moves the decimal point in the text: dividing by 100 would add binary rounding digits.
  const isForAHundred = isOftenForAHundred(currency) && quoted > MOST_FOR_ONE_UNIT;
  const rate = isForAHundred ? Number(`${quoted}e-2`) : quoted;
  return { currency, date: servedDate, rate };
}
