import type { CodeListType } from '../../../domain/values/code-list.ts';

/** Where the authority serves a code list, and the names of the members in its answer. */
export type CodeListService = {
  readonly path: string;
  /** The member of the answer that holds the list. */
  readonly list: string;
  /** The members of an item that hold its code and its name. */
  readonly code: string;
  readonly name: string;
  /**
   * For a list that every document needs: the further members that an item must have to be of use. Missing where documents can do
   * without the list, which may then be empty.
   */
  readonly needed?: readonly string[];
};

export const CODE_LIST_SERVICES: Readonly<Record<CodeListType, CodeListService>> = {
  'document-types': { path: 'document-types', list: 'documentTypesList', code: 'code', name: 'name', needed: [] },
  'document-statuses': { path: 'document-statuses', list: 'statusList', code: 'code', name: 'name' },
  'reference-document-types': { path: 'ref-document-types', list: 'refDocumentTypes', code: 'code', name: 'name' },
  'tax-groups': { path: 'tax-groups', list: 'taxGroupList', code: 'code', name: 'name', needed: ['percent'] },
  'tax-indicators': {
    path: 'tax-indicators',
    list: 'taxIndicators',
    code: 'code',
    name: 'categoryName',
    needed: ['vatImpact', 'taxGroupCode'],
  },
  'payment-types': { path: 'payment-types', list: 'paymentTypeList', code: 'code', name: 'description', needed: [] },
  'void-reasons': { path: 'void-reasons', list: 'voidReasonList', code: 'code', name: 'voidReason' },
  'correction-reasons': {
    path: 'correction-reason',
    list: 'correctionReasonList',
    code: 'code',
    name: 'correctionReason',
  },
  'reject-reasons': { path: 'reject-reason', list: 'rejectReasonList', code: 'code', name: 'rejectReason' },
  currencies: { path: 'currency', list: 'currencyList', code: 'code', name: 'description', needed: [] },
  countries: { path: 'countries', list: 'countryList', code: 'code', name: 'name', needed: [] },
};
