import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import { euidTime } from '../../../../domain/documents/euid.ts';
import type { DocumentReference, InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import type { LeftOutReferences } from '../../../../domain/documents/left-out-references.ts';
import { type Message, message } from '../../../../domain/messages/message.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import type { DocumentType, ResolvedReference } from '../conversion-context.ts';
import { excerptOfName, notExpressible, warning } from '../conversion-failure.ts';
import { isDirectiveReference } from '../directives.ts';
import type { UjpReference } from '../payload.ts';
import { CHOSEN_LENGTH, lengthOf } from '../text-limits.ts';
import { findReferenceType, type ReferenceKind, referenceKind } from './reference-kinds.ts';

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
  const converted = [...corrected, ...optionalReferences(others, needs, warnings)];
  if (needs.type.isReferenceMandatory === true && converted.length === 0) {
    const missing = message('reference-required', { type: needs.type.code });
    notExpressible(missing, `${content.path}/cac:BillingReference`);
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
    notExpressible(message('correction-of-one-document', { count: billing.length }), elementPath);
  }
  const { euid, date } = earlierDocument(reference, needs.resolved);
  if (euid === null || date === null) {
    const number = excerptOfName(reference.id.value ?? '');
    notExpressible(message('corrected-not-registered', { number }), elementPath);
  }
  if (date > needs.docDate)
    notExpressible(message('corrected-later', { date, documentDate: needs.docDate }), elementPath);
  const type = needs.typeOf('correction');
  if (type === null) notExpressible(message('correction-type-unserved'), elementPath);
  return { docTypeRef: type.code, docNameRef: type.name, docDateRef: date, docNumberRef: euid };
}

/**
 * These references are optional for the authority: one that cannot be converted is left out with a warning. So is a second one of
 * the same number, because a document that refers to the same one twice is rejected (E1022); if it is the same reference, nothing
 * is lost.
 */
function optionalReferences(
  stated: readonly DocumentReference[],
  needs: Needs,
  warnings: ConversionWarning[],
): UjpReference[] {
  const sent = new Map<string, UjpReference>();
  for (const reference of stated) {
    const converted = optionalReference(reference, needs);
    if ('key' in converted) {
      warnOfLeftOut(reference, converted, warnings);
      continue;
    }
    const key = JSON.stringify([converted.docTypeRef, converted.docNumberRef]);
    const date = sent.get(key)?.docDateRef;
    if (date === undefined) {
      warnIfNotRegistered(reference, needs, warnings);
      sent.set(key, converted);
    } else if (date !== converted.docDateRef) {
      warnOfLeftOut(reference, message('reference-number-twice', { date }), warnings);
    }
  }
  return [...sent.values()];
}

function warnOfLeftOut(reference: DocumentReference, reason: Message, warnings: ConversionWarning[]): void {
  // An attachment does not refer to another document, so nothing is lost.
  if (reference.hasAttachment) return;
  warnings.push(warning('REFERENCE-LEFT-OUT', message('reference-left-out', { reason }), reference.path));
}

function warnIfNotRegistered(reference: DocumentReference, needs: Needs, warnings: ConversionWarning[]): void {
  const { euid } = earlierDocument(reference, needs.resolved);
  if (reference.source !== 'billing' || euid !== null) return;
  const named = message('reference-not-registered', { number: excerptOfName(reference.id.value ?? '') });
  warnings.push(warning('REFERENCE-NOT-REGISTERED', named, reference.path));
}

/** The reference, or why it is left out. */
function optionalReference(reference: DocumentReference, needs: Needs): UjpReference | Message {
  const { euid, date } = earlierDocument(reference, needs.resolved);
  const kind = kindOf(reference, euid);
  const { code, hasReference } = needs.type;
  const refused = refusedBefore(date, needs);
  if (refused !== null) return refused;
  if (hasReference === false && !ON_EVERY_TYPE.has(kind)) return message('reference-not-taken', { type: code });
  const number = euid ?? reference.id.value;
  if (number === null) return message('reference-without-number');
  const limit = CHOSEN_LENGTH.referenceNumber;
  if (lengthOf(number) > limit) return message('reference-number-too-long', { length: lengthOf(number), limit });
  if (date === null) return message('reference-without-date');
  if (date > needs.docDate) return message('reference-later', { date, documentDate: needs.docDate });
  const type = needs.typeOf(kind);
  if (type === null) return message('reference-type-unserved');
  return { docTypeRef: type.code, docNameRef: type.name, docDateRef: date, docNumberRef: number };
}

/** Why a reference would be refused, as the authority has shown; a type that must have references keeps them. */
function refusedBefore(
  date: string | null,
  { type, docDate, refusesReferences, leftOutReferences }: Needs,
): Message | null {
  if (type.isReferenceMandatory === true) return null;
  if (refusesReferences.has(type.code)) return message('references-refused', { type: type.code });
  if (leftOutReferences === null) return null;
  if (leftOutReferences !== 'same-day') return message('refused-for-references');
  return date === docDate ? message('refused-for-same-day-reference', { date }) : null;
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

/** EUIDs are of version 7. A UUID of another version is the issuer's own: the document is looked up by its number. */
function statedEuid({ uuid }: DocumentReference): string | null {
  return uuid !== null && euidTime(uuid) !== null ? uuid.toLowerCase() : null;
}
