import { group, text, type XmlContent } from './xml-element.ts';

/** The identifier of a reference that holds a member which UBL has no element for. */
const MEMBER_SCHEME = 'UJP:member';

/** A text of more lines is kept whole: each element takes far more memory than a line. */
const MOST_LINES = 1_000;

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

/** A text of several lines as one element for each. One with an empty line in it stays whole: empty elements say nothing. */
export function linesOfText(name: string, value: string | null): XmlContent {
  if (value === null || value === '') return [];
  const lines = value.split('\n', MOST_LINES + 1);
  const isKeptWhole = lines.length > MOST_LINES || lines.some((line) => line.trim() === '');
  return (isKeptWhole ? [value] : lines).flatMap((line) => text(name, line));
}
