import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import { isAllowed } from '../../catalogue/tax-indicator-matrix.ts';
import type { InvoiceDocument, Item } from './document-schema.ts';

/**
 * The authority's published reference: document type with its exact name (§3.3), tax group with its rate, and tax indicator of that
 * group, allowed for the type (§3.7, §4.4, §4.5), and the note as it is served (§3.8).
 */
export function checkCodeLists(document: InvoiceDocument, lists: ListsInForce): readonly Finding[] {
  const { docType } = document.header;
  return [
    ...checkType(document, lists),
    ...document.docItems.flatMap((item, index) => checkItem(docType, item, `document.docItems[${index}]`, lists)),
    ...document.vatTotals.flatMap((_, index) => checkNote(document, index, lists)),
  ];
}

function checkType({ header }: InvoiceDocument, lists: ListsInForce): readonly Finding[] {
  const { docType, docTypeName } = header;
  const names = lists.all('document-types', docType).map(({ name }) => name);
  if (names.includes(docTypeName)) return [];
  const isUnknown = names.length === 0;
  const message = isUnknown ? `Document type ${docType} not found` : `Type ${docType} is not called '${docTypeName}'`;
  return [{ code: 'E1017', message, parameter: `document.header.${isUnknown ? 'docType' : 'docTypeName'}` }];
}

function checkItem(docType: string, item: Item, path: string, lists: ListsInForce): readonly Finding[] {
  const { docItemVatGroup, docItemTaxIndicator, docItemVat } = item;
  const group = lists.find('tax-groups', docItemVatGroup);
  if (group === undefined) {
    const message = `${path}: tax group ${docItemVatGroup} not found`;
    return [{ code: 'E1004', message, parameter: `${path}.docItemVatGroup` }];
  }
  if (docItemVat !== group.percent) {
    const message = `${path}: the rate of tax group ${group.code} is ${group.percent}, not ${docItemVat}`;
    return [{ code: 'E1004', message, parameter: `${path}.docItemVat` }];
  }
  const indicator = lists
    .all('tax-indicators', docItemTaxIndicator)
    .find(({ taxGroupCode }) => taxGroupCode === docItemVatGroup);
  if (indicator !== undefined && isAllowed(docType, indicator)) return [];
  const message = `${path}: tax indicator ${docItemTaxIndicator} does not exist for tax group ${docItemVatGroup} in documents of type ${docType}`;
  return [{ code: 'E1009', message, parameter: `${path}.docItemTaxIndicator` }];
}

function checkNote({ vatTotals }: InvoiceDocument, index: number, lists: ListsInForce): readonly Finding[] {
  const row = vatTotals[index];
  const notes = lists.all('tax-indicators', row?.vatTaxIndicator ?? '').map(({ note }) => note);
  // An unknown indicator is found elsewhere: in the items that use it, or in the totals if none does.
  if (notes.length === 0 || notes.includes(row?.vatTaxIndicatorNote ?? '')) return [];
  const parameter = `document.vatTotals[${index}].vatTaxIndicatorNote`;
  return [{ code: 'E1032', message: `${parameter} is not the note of ${row?.vatTaxIndicator}`, parameter }];
}
