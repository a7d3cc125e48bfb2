import type { DocumentView } from './document-view.ts';

/** Types that we have a word for, by their codes; any other is called what the document calls it. */
export const KIND_OF_TYPE: ReadonlyMap<string, DocumentView['kind']> = new Map([
  ['100', 'invoice'],
  ['110', 'credit-note'],
  ['120', 'debit-note'],
  ['130', 'advance-invoice'],
  ['170', 'invoice'],
]);
