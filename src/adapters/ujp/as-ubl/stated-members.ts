import type { UnknownMember } from '../document-schema/read-payload.ts';
import { group, text, type XmlContent } from './xml-element.ts';

/** The identifier of a reference that holds a member which UBL has no element for. */
const MEMBER_SCHEME = 'UJP:member';

/** No known document has any; somebody may make one with millions. */
const MOST_UNKNOWN = 500;

/** A member by its path, such as `header/docFooter`, and its value. */
export type StatedMember = readonly [path: string, value: string | null];

/** References that hold members of the authority's document word for word; those that are null are left out. */
export function memberReferences(members: readonly StatedMember[]): XmlContent {
  return members.flatMap(([path, value]) =>
    value === null
      ? []
      : group(
          'cac:AdditionalDocumentReference',
          text('cbc:ID', path, { schemeID: MEMBER_SCHEME }),
          text('cbc:DocumentDescription', value),
        ),
  );
}

/** As many members that the schema does not know as have room, and how many have none. */
export function unknownMembers(unknown: readonly UnknownMember[]): {
  readonly stated: readonly StatedMember[];
  readonly leftOut: readonly string[];
} {
  return {
    stated: unknown.slice(0, MOST_UNKNOWN).map(({ path, value }) => [path, value]),
    leftOut: unknown.slice(MOST_UNKNOWN).map(({ path }) => path),
  };
}

/** A text of several lines as one element for each. One with an empty line in it stays whole: empty elements say nothing. */
export function linesOfText(name: string, value: string | null): XmlContent {
  if (value === null || value === '') return [];
  const lines = value.split('\n');
  return (lines.some((line) => line.trim() === '') ? [value] : lines).flatMap((line) => text(name, line));
}
