import type { DocumentReference, InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import type { DocumentType, ResolvedReference } from '../conversion-context.ts';
import { located, notExpressible, quoted } from '../conversion-failure.ts';
import { isDirectiveReference } from '../directives.ts';
import type { UjpReference } from '../payload.ts';
import { type ReferenceKind, referenceKind, servedReferenceType } from './reference-kinds.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

export type ReferenceNeeds = {
  readonly docDate: string;
  readonly storno: 0 | 2;
  readonly type: DocumentType;
  readonly types: readonly CodeListEntry[];
  readonly resolved: readonly ResolvedReference[];
};

/** The earlier document that a reference means: its EUID as stated, or found by its number. */
type Earlier = { readonly euid: string | null; readonly date: string | null };

export function references(content: InvoiceContent, needs: ReferenceNeeds, warnings: string[]): UjpReference[] {
  const stated = content.references.filter((reference) => !isDirectiveReference(reference));
  const billing = stated.filter(({ source }) => source === 'billing');
  const corrected = needs.storno === 0 ? [] : [correctedDocument(content, billing, needs)];
  const others = needs.storno === 0 ? stated : stated.filter(({ source }) => source !== 'billing');
  const referring = eachOnce([...corrected, ...optionalReferences(others, needs, warnings)]);
  if (needs.type.isReferenceMandatory === true && referring.length === 0) {
    const sentence = `A document of type ${needs.type.code} must refer to another document, and none with a date is named`;
    notExpressible(sentence, `${content.path}/cac:BillingReference`);
  }
  return referring;
}

/** The authority refuses a document that names the same one twice (E1022). */
function eachOnce(references: readonly UjpReference[]): UjpReference[] {
  const alike = Map.groupBy(references, ({ docTypeRef, docNumberRef }) => JSON.stringify([docTypeRef, docNumberRef]));
  return [...alike.values()].flatMap(([first]) => first ?? []);
}

/** What `neededLookups` must find: earlier documents that are named by number alone, or whose date is missing. */
export function isUnresolved(reference: DocumentReference): boolean {
  return reference.source === 'billing' && (statedEuid(reference) === null || reference.issueDate === null);
}

/** A correction replaces exactly one registered document, which the reference must name (E1027, E1030). */
function correctedDocument(
  content: InvoiceContent,
  billing: readonly DocumentReference[],
  needs: ReferenceNeeds,
): UjpReference {
  const [reference] = billing;
  const place = reference?.path ?? `${content.path}/cac:BillingReference`;
  if (reference === undefined || billing.length > 1) {
    notExpressible(`A correction must refer to the one document it corrects, and ${billing.length} are named`, place);
  }
  const { euid, date } = earlierDocument(reference, needs.resolved);
  if (euid === null || date === null) {
    notExpressible(`The corrected document ${quoted(reference.id.value ?? '')} is not known as registered`, place);
  }
  if (date > needs.docDate)
    notExpressible(`The corrected document is dated ${date}, after the correction itself`, place);
  const type = servedReferenceType('correction', needs.types);
  if (type === null) notExpressible("The authority's list has no reference type for a correction", place);
  return { docTypeRef: type.code, docNameRef: type.name, docDateRef: date, docNumberRef: euid };
}

/** Nothing here decides whether a document is valid: what cannot be said is left out, and said so. */
function optionalReferences(
  stated: readonly DocumentReference[],
  needs: ReferenceNeeds,
  warnings: string[],
): UjpReference[] {
  return stated.flatMap((reference) => {
    const converted = optionalReference(reference, needs);
    if (typeof converted !== 'string') return converted;
    // An attachment is no reference to another document; there is nothing to say about it.
    if (!reference.hasAttachment) warnings.push(located(`The reference was left out: ${converted}`, reference.path));
    return [];
  });
}

function optionalReference(reference: DocumentReference, needs: ReferenceNeeds): UjpReference | string {
  if (needs.type.hasReference === false) return `a document of type ${needs.type.code} refers to no others`;
  const { euid, date } = earlierDocument(reference, needs.resolved);
  const number = euid ?? reference.id.value;
  if (number === null) return 'it has no number';
  if (date === null) return 'it has no date';
  if (date > needs.docDate) return `it is dated ${date}, after the document itself`;
  const type = servedReferenceType(kindOf(reference, euid), needs.types);
  if (type === null) return "the authority's list has no reference type for it";
  return { docTypeRef: type.code, docNameRef: type.name, docDateRef: date, docNumberRef: number };
}

/** An earlier invoice that is not registered, for example from before the duty to register, is any other document. */
function kindOf(reference: DocumentReference, euid: string | null): ReferenceKind {
  const kind = referenceKind(reference);
  return kind === 'registered' && euid === null ? 'other' : kind;
}

function earlierDocument(reference: DocumentReference, resolved: readonly ResolvedReference[]): Earlier {
  if (reference.source !== 'billing') return { euid: null, date: reference.issueDate };
  const { id, issueDate } = reference;
  const found = resolved.find(({ number, date }) => number === id.value && date === issueDate) ?? null;
  return { euid: statedEuid(reference) ?? found?.euid ?? null, date: issueDate ?? found?.issueDate ?? null };
}

function statedEuid({ uuid }: DocumentReference): string | null {
  return uuid !== null && UUID.test(uuid) ? uuid.toLowerCase() : null;
}
