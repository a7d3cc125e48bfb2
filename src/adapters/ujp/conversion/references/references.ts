import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { DocumentReference, InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import type { LeftOutReferences } from '../../../../domain/documents/left-out-references.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import type { DocumentType, ResolvedReference } from '../conversion-context.ts';
import { notExpressible, quoted, warning } from '../conversion-failure.ts';
import { isDirectiveReference } from '../directives.ts';
import type { UjpReference } from '../payload.ts';
import { CHOSEN_LENGTH, lengthOf } from '../text-limits.ts';
import { findReferenceType, type ReferenceKind, referenceKind } from './reference-kinds.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/**
 * Kinds that stay on a type served with `hasReference` false: the authority serves the ordinary invoice so, and pairs it with an
 * order in its own list of checked fields. A refusal costs nothing but the references (`refusesReferences`).
 */
const ON_EVERY_TYPE: ReadonlySet<ReferenceKind> = new Set(['order', 'contract', 'tender']);

export type ReferenceNeeds = {
  readonly docDate: string;
  readonly storno: 0 | 2;
  readonly type: DocumentType;
  readonly types: readonly CodeListEntry[];
  readonly resolved: readonly ResolvedReference[];
  /** Document types on which the authority refused references. */
  readonly refusesReferences: ReadonlySet<string>;
  /** What the authority refused this document for. */
  readonly leftOutReferences: LeftOutReferences | null;
};

type Needs = Omit<ReferenceNeeds, 'types' | 'resolved'> & {
  readonly typeOf: (kind: ReferenceKind) => CodeListEntry | null;
  readonly resolved: ReadonlyMap<string, ResolvedReference>;
};

/** The earlier document of a reference; its EUID is stated in the reference or was looked up by number. */
type Earlier = { readonly euid: string | null; readonly date: string | null };

export function references(
  content: InvoiceContent,
  given: ReferenceNeeds,
  warnings: ConversionWarning[],
): UjpReference[] {
  const needs = indexed(given);
  const stated = content.references.filter((reference) => !isDirectiveReference(reference));
  const billing = stated.filter(({ source }) => source === 'billing');
  const corrected = needs.storno === 0 ? [] : [correctedDocument(content, billing, needs)];
  const others = needs.storno === 0 ? stated : stated.filter(({ source }) => source !== 'billing');
  const converted = withoutDuplicates([...corrected, ...optionalReferences(others, needs, warnings)]);
  if (needs.type.isReferenceMandatory === true && converted.length === 0) {
    const sentence = `A document of type ${needs.type.code} must refer to another document, but names none with a date`;
    notExpressible(sentence, `${content.path}/cac:BillingReference`);
  }
  return converted;
}

/** A document may refer to thousands of others: what is looked for in a list is found by a key. */
function indexed({ types, resolved, ...needs }: ReferenceNeeds): Needs {
  const known = new Map<ReferenceKind, CodeListEntry | null>();
  return {
    ...needs,
    resolved: new Map(resolved.toReversed().map((one) => [referenceKey(one.number, one.date), one])),
    typeOf(kind) {
      if (!known.has(kind)) known.set(kind, findReferenceType(kind, types));
      return known.get(kind) ?? null;
    },
  };
}

/** A correction must refer to exactly one registered document (E1027, E1030). */
function correctedDocument(content: InvoiceContent, billing: readonly DocumentReference[], needs: Needs): UjpReference {
  const [reference] = billing;
  const elementPath = reference?.path ?? `${content.path}/cac:BillingReference`;
  if (reference === undefined || billing.length > 1) {
    notExpressible(`A correction must refer to exactly one document, but ${billing.length} are named`, elementPath);
  }
  const { euid, date } = earlierDocument(reference, needs.resolved);
  if (euid === null || date === null) {
    notExpressible(
      `The corrected document ${quoted(reference.id.value ?? '')} is not known to be registered`,
      elementPath,
    );
  }
  if (date > needs.docDate)
    notExpressible(`The corrected document is dated ${date}, after the correction itself`, elementPath);
  const type = needs.typeOf('correction');
  if (type === null) notExpressible("The authority's list has no reference type for a correction", elementPath);
  return { docTypeRef: type.code, docNameRef: type.name, docDateRef: date, docNumberRef: euid };
}

/** These references are optional for the authority: one that cannot be converted is left out with a warning. */
function optionalReferences(
  stated: readonly DocumentReference[],
  needs: Needs,
  warnings: ConversionWarning[],
): UjpReference[] {
  return stated.flatMap((reference) => {
    const converted = optionalReference(reference, needs);
    if (typeof converted !== 'string') {
      warnIfNotRegistered(reference, needs, warnings);
      return converted;
    }
    // An attachment does not refer to another document, so nothing is lost.
    if (!reference.hasAttachment)
      warnings.push(warning('REFERENCE-LEFT-OUT', `The reference was left out: ${converted}`, reference.path));
    return [];
  });
}

function warnIfNotRegistered(reference: DocumentReference, needs: Needs, warnings: ConversionWarning[]): void {
  const { euid } = earlierDocument(reference, needs.resolved);
  if (reference.source !== 'billing' || euid !== null) return;
  const sentence = `The earlier invoice ${quoted(reference.id.value ?? '')} is not known to be registered and was named as another document`;
  warnings.push(warning('REFERENCE-NOT-REGISTERED', sentence, reference.path));
}

function optionalReference(reference: DocumentReference, needs: Needs): UjpReference | string {
  const { euid, date } = earlierDocument(reference, needs.resolved);
  const kind = kindOf(reference, euid);
  const { code, hasReference } = needs.type;
  const refused = refusedBefore(date, needs);
  if (refused !== null) return refused;
  if (hasReference === false && !ON_EVERY_TYPE.has(kind))
    return `a document of type ${code} takes no reference of this kind`;
  const number = euid ?? reference.id.value;
  if (number === null) return 'it has no number';
  if (lengthOf(number) > CHOSEN_LENGTH.referenceNumber) return `its number has ${lengthOf(number)} characters`;
  if (date === null) return 'it has no date';
  if (date > needs.docDate) return `it is dated ${date}, after the document`;
  const type = needs.typeOf(kind);
  if (type === null) return "the authority's list has no reference type for it";
  return { docTypeRef: type.code, docNameRef: type.name, docDateRef: date, docNumberRef: number };
}

/** Why a reference would be refused, as the authority has shown; a type that must have references keeps them. */
function refusedBefore(
  date: string | null,
  { type, docDate, refusesReferences, leftOutReferences }: Needs,
): string | null {
  if (type.isReferenceMandatory === true) return null;
  if (refusesReferences.has(type.code)) return `the authority refused references on documents of type ${type.code}`;
  if (leftOutReferences === null) return null;
  if (leftOutReferences !== 'same-day') return 'the authority refused the document because of its references';
  return date === docDate ? "the authority refused the document with a reference of the document's own day" : null;
}

/**
 * An earlier invoice that is not registered, for example from before registration was mandatory, counts as another document.
 */
function kindOf(reference: DocumentReference, euid: string | null): ReferenceKind {
  const kind = referenceKind(reference);
  return kind === 'registered' && euid === null ? 'other' : kind;
}

/** Whether an earlier invoice must be looked up, because the reference states no EUID or no date. */
export function isUnresolved(reference: DocumentReference): boolean {
  return reference.source === 'billing' && (statedEuid(reference) === null || reference.issueDate === null);
}

/** The same for references to the same number and date, which need to be looked up once. */
export function referenceKey(number: string, date: string | null): string {
  return JSON.stringify([number, date]);
}

function earlierDocument(reference: DocumentReference, resolved: ReadonlyMap<string, ResolvedReference>): Earlier {
  if (reference.source !== 'billing') return { euid: null, date: reference.issueDate };
  const { id, issueDate } = reference;
  const found = id.value === null ? null : resolved.get(referenceKey(id.value, issueDate));
  return { euid: statedEuid(reference) ?? found?.euid ?? null, date: issueDate ?? found?.issueDate ?? null };
}

function statedEuid({ uuid }: DocumentReference): string | null {
  return uuid !== null && UUID.test(uuid) ? uuid.toLowerCase() : null;
}

/** The authority rejects a document that refers to the same one twice (E1022). */
function withoutDuplicates(references: readonly UjpReference[]): UjpReference[] {
  const groups = Map.groupBy(references, ({ docTypeRef, docNumberRef }) => JSON.stringify([docTypeRef, docNumberRef]));
  return [...groups.values()].flatMap(([first]) => first ?? []);
}
