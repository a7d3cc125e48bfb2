import { authorityError } from '../authority-error.ts';
import { isDate } from '../calendar.ts';
import { entriesOf, isInForce } from '../catalogue/catalogue.ts';
import type { CodeLists } from '../catalogue/code-lists.ts';
import { taxIndicatorMatrix } from '../catalogue/tax-indicator-matrix.ts';
import type { JsonObject } from '../json-object.ts';
import { skopjeTime } from '../skopje-time.ts';
import { EXCHANGE_RATES } from './exchange-rates.ts';
import { pageOf } from './paging.ts';
import { dayOf, textOf } from './request-members.ts';
import { getService, plainPost, type Service, type ServiceRequest, type Services } from './service.ts';

/** Lists that can also be read as in force on a given day. */
const DATED_LISTS = ['correction-reason', 'purchase-tax-indicators'];

export function catalogueServices(lists: CodeLists): Services {
  const matrix = taxIndicatorMatrix(lists);
  return [
    ['/api/v1/server-time', SERVER_TIME],
    ...[...lists].map(([name, stored]) => [`/api/v1/${name}`, getService(() => members(stored))] as const),
    ...DATED_LISTS.map((name) => [`/api/v1/${name}/{}`, getService((request) => onDay(lists, name, request))] as const),
    ['/api/v1/countries/list', plainPost(({ body }) => pageOf(entriesOf(lists, 'countries'), body))],
    ['/api/v1/doc-type-x-tax-indicator/list', plainPost(({ body }) => pageOf(matrix, body))],
    ['/api/v1/doc-type-x-tax-indicator/{}', getService(({ variable }) => ofType(matrix, variable))],
    ['/api/v1/currency-exchange/rate', plainPost(exchangeRate)],
  ];
}

const SERVER_TIME: Service = {
  method: 'GET',
  access: 'public',
  answer: ({ now }) => ({ kind: 'bare', members: { timestamp: skopjeTime(now) } }),
};

/** The stored answer without the members that every answer has. */
function members({ success: _success, createdDate: _date, errorStatus: _status, ...list }: JsonObject): JsonObject {
  return list;
}

function onDay(lists: CodeLists, name: string, { variable: day }: ServiceRequest): JsonObject {
  if (!isDate(day)) throw authorityError('E4010', `'${day}' is not a date`);
  const [member = ''] = Object.keys(members(lists.get(name) ?? {}));
  return { [member]: entriesOf(lists, name).filter((entry) => isInForce(entry, day)) };
}

function ofType(matrix: readonly JsonObject[], docTypeCode: string): JsonObject {
  const rows = matrix.filter((row) => row['docTypeCode'] === docTypeCode);
  if (rows.length === 0) throw authorityError('E1017', `Document type ${docTypeCode} not found`);
  return { docTypeXTaxIndicatorList: rows };
}

function exchangeRate({ body, now }: ServiceRequest): JsonObject {
  const currencyName = textOf(body, 'currencyName');
  const date = dayOf(body, 'date');
  const index = EXCHANGE_RATES.findIndex(({ name }) => name === currencyName);
  const rate = EXCHANGE_RATES[index];
  if (rate === undefined)
    throw authorityError('E5011', `There is no exchange rate for ${currencyName}`, 'currencyName');
  if (date > skopjeTime(now).slice(0, 10))
    throw authorityError('E4008', `There is no exchange rate on ${date}`, 'date');
  const { country, code, name, middleRate } = rate;
  // The misspelt name is the authority's.
  return { currencyExcange: { id: index + 1, currencyId: index + 1, country, code, name, date, middleRate } };
}
