import type { JsonObject } from '../json-object.ts';
import { entriesOf } from './catalogue.ts';
import type { CodeLists } from './code-lists.ts';

/** Supplies that the buyer declares; no document of a seller has them. */
const RECEIVED_SUPPLIES = new Set(['DDV-12-4', 'DDV-14-4', 'DDV-12-5', 'DDV-14-5', 'DDV-uvoz']);
/** Reverse charge is impossible: a natural person cannot owe the VAT instead of the seller. */
const TO_NATURAL_PERSON = '170';

export function isAllowed(docType: string, indicator: { readonly code: string; readonly vatImpact: unknown }): boolean {
  if (RECEIVED_SUPPLIES.has(indicator.code)) return false;
  return docType !== TO_NATURAL_PERSON || indicator.vatImpact !== 'PRENESEN';
}

/** The tax indicators that each document type allows, in the rows in which the authority lists them. */
export function taxIndicatorMatrix(lists: CodeLists): readonly JsonObject[] {
  const types = (entriesOf(lists, 'document-types') as readonly JsonObject[]).filter(isInUse);
  const indicators = (entriesOf(lists, 'tax-indicators') as readonly JsonObject[]).filter(isInUse);
  return types.flatMap((type, typeIndex) =>
    indicators
      .filter(({ code, vatImpact }) => isAllowed(String(type['code']), { code: String(code), vatImpact }))
      .map((taxIndicator) => ({
        docTypeId: typeIndex + 1,
        taxIndicator,
        validDateFrom: taxIndicator['validDateFrom'],
        validDateTo: null,
        active: true,
        docTypeCode: type['code'],
        docTypeName: type['name'],
        taxIndicatorCode: taxIndicator['code'],
      })),
  );
}

function isInUse({ isActive, validDateTo }: JsonObject): boolean {
  return isActive === true && validDateTo === null;
}
