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
const NO_RATE: JsonObject = { currencyExcange: null };
const MEMBER = 'currencyExcange';
/** The National Bank's rates are for one unit of each currency but this one, of which they are for a hundred. */
const QUOTED_FOR_A_HUNDRED = 'JPY';
/** Far beyond every rate there is, and digits enough without an exponent. */
const LOWEST_RATE = 1e-6;
const HIGHEST_RATE = 1e9;

export function exchangeRate(caller: AuthorityCaller): AuthorityQueries['exchangeRate'] {
  return async (tenant, currency, date) => {
    const asked = caller.post(tenant, SERVICE, { currencyName: currency, date });
    const answer = await unlessNothingFound(asked, NOTHING_FOUND, NO_RATE);
    // The first name is misspelt by the authority, which may mend it one day.
    const served = answer[MEMBER] === undefined ? answer['currencyExchange'] : answer[MEMBER];
    if (served === null) return null;
    const read = isJsonObject(served) ? readRate(served, currency, date) : null;
    if (read === null) throw unreadableMember(MEMBER, SERVICE);
    return read;
  };
}

function readRate(served: JsonObject, currency: string, date: string): ServedExchangeRate | null {
  const quoted = Number(served['middleRate'] ?? Number.NaN);
  const isOfCurrency = (served['name'] ?? currency) === currency;
  if (!isOfCurrency || !(quoted >= LOWEST_RATE && quoted <= HIGHEST_RATE)) return null;
  // The decimal point is moved in writing: a division would leave a tail of binary digits.
  const rate = currency === QUOTED_FOR_A_HUNDRED ? Number(`${quoted}e-2`) : quoted;
  return { currency, date: authorityDate(served['date']) ?? date, rate };
}
