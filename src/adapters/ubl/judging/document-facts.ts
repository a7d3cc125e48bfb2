import type { DocumentKind, InvoiceFacts } from '../../../domain/documents/invoice-facts.ts';
import { statedCurrency } from '../../../domain/invoices/stated-codes.ts';
import { factText, firstText } from '../xml/first-text.ts';
import type { ElementNumber, ReadableTree } from '../xml/readable-tree.ts';
import { decimalText } from './decimal-text.ts';
import { partyFacts } from './party-facts.ts';

/** The facts of a UBL Invoice or CreditNote that the service itself uses, read without judging them. */
export function documentFacts(tree: ReadableTree, kind: DocumentKind): InvoiceFacts {
  const text = (...path: string[]): string | null => firstText(tree, tree.root, path);
  const amount = payableAmount(tree);
  return {
    kind,
    documentNumber: text('cbc:ID'),
    typeCode: text(typeCodeName(kind)),
    amount: amount === null ? null : decimalText(tree.text(amount)),
    currency: statedCurrency(
      text('cbc:DocumentCurrencyCode') ??
        (amount === null ? null : factText(tree.attribute(amount, 'currencyID') ?? '')),
    ),
    issueDate: text('cbc:IssueDate'),
    supplier: partyFacts(tree, partyOf(tree, 'cac:AccountingSupplierParty')),
    recipient: partyFacts(tree, partyOf(tree, 'cac:AccountingCustomerParty')),
  };
}

export function typeCodeName(kind: DocumentKind): string {
  return `cbc:${kind}TypeCode`;
}

/** The first one; the schema decides whether there may be more. */
export function payableAmount(tree: ReadableTree): ElementNumber | null {
  const total = tree.childrenNamed(tree.root, 'cac:LegalMonetaryTotal')[0];
  return (total === undefined ? undefined : tree.childrenNamed(total, 'cbc:PayableAmount')[0]) ?? null;
}

export function partyOf(
  tree: ReadableTree,
  role: 'cac:AccountingSupplierParty' | 'cac:AccountingCustomerParty',
): ElementNumber | null {
  const holder = tree.childrenNamed(tree.root, role)[0];
  return (holder === undefined ? undefined : tree.childrenNamed(holder, 'cac:Party')[0]) ?? null;
}
