import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { listMember } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { catalogueService } from '../gateway/authority-service.ts';
import type { AuthorityQueries } from './authority-queries.ts';

const LIST = 'docTypeXTaxIndicatorList';
const NOTHING_FOUND = ['E1017', 'E4008'];
const NONE: JsonObject = { [LIST]: [] };
/** A code that, put into the URL, cannot lead to another path. */
const SAFE_CODE = /^[\p{L}\d_-]{1,40}$/u;

/** The tax indicators that a document type allows; none when the authority does not say. */
export function allowedIndicators(caller: AuthorityCaller): AuthorityQueries['allowedIndicators'] {
  return async (tenant, docTypeCode) => {
    if (!SAFE_CODE.test(docTypeCode)) return [];
    const service = catalogueService(`doc-type-x-tax-indicator/${encodeURIComponent(docTypeCode)}`);
    const answer = await unlessNothingFound(caller.get(tenant, service), NOTHING_FOUND, NONE);
    const rows = listMember(answer, LIST, service).filter(isJsonObject).filter(isActive);
    const codes = rows.filter((row) => String(row['docTypeCode'] ?? docTypeCode) === docTypeCode).map(indicatorOf);
    const known = codes.filter((code) => typeof code === 'string');
    return [...new Set(known)].map((taxIndicatorCode) => ({ docTypeCode, taxIndicatorCode }));
  };
}

function isActive(row: JsonObject): boolean {
  return (row['active'] ?? row['isActive']) !== false;
}

function indicatorOf({ taxIndicatorCode, taxIndicator }: JsonObject): unknown {
  return taxIndicatorCode ?? (isJsonObject(taxIndicator) ? taxIndicator['code'] : null);
}
