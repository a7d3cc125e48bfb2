import { placeOf, shownName, withoutNamespace } from '../xml/element-place.ts';
import type { LibraryError } from '../xml/libxml2.ts';
import type { XmlTree } from '../xml/xml-tree.ts';
import type { Finding } from './findings.ts';
import { MAX_FINDINGS, nameText, quoted } from './findings.ts';
import { usualName } from './ubl-names.ts';

type Context = { readonly element: string; readonly parent: string | null };
type FormatMessage = (found: readonly string[], context: Context) => string;

const MAX_EXPECTED_NAMES = 5;

const TYPES: ReadonlyMap<string, string> = new Map([
  ['date', 'a date such as 2026-01-31'],
  ['time', 'a time such as 14:30:00'],
  ['dateTime', 'a date and time such as 2026-01-31T14:30:00'],
  ['decimal', 'a decimal number such as 1234.50'],
  ['integer', 'a whole number'],
  ['boolean', '“true” or “false”'],
  ['base64Binary', 'Base64'],
  ['anyURI', 'a URI'],
  ['language', 'a language code such as mk'],
  ['ID', 'an identifier that is unique in the document'],
]);

/** Errors of libxml2's schema validation and our messages for them. A value in them can be any text, so patterns are anchored. */
const MESSAGES: ReadonlyArray<readonly [RegExp, FormatMessage]> = [
  [
    /^This element is not expected\. Expected is (?:one of )?\( (.*) \)\.$/su,
    ([list], { element }) => `${element} is not allowed here; expected ${expected(list)}.`,
  ],
  [
    /^This element is not expected\./u,
    (_, { element, parent }) => `${element} is not allowed here; expected the end of ${parent ?? 'the document'}.`,
  ],
  [
    /^Missing child element\(s\)\. Expected is (?:one of )?\( (.*) \)\.$/su,
    ([list], { element }) => `${element} is incomplete; expected in it ${expected(list)}.`,
  ],
  [/^Missing child element/u, (_, { element }) => `${element} is incomplete; expected more elements in it.`],
  [
    /^The attribute '(.*)' is required but missing\.$/su,
    ([name], { element }) => `${element} lacks the attribute ${shown(name)}.`,
  ],
  [
    /^The attribute '(.*)' is not allowed\.$/su,
    ([name], { element }) => `${element} must not have the attribute ${shown(name)}.`,
  ],
  [/^Character content/u, (_, { element }) => `${element} must not contain text of its own; expected elements only.`],
  [
    /^Element content is not allowed/u,
    (_, { element }) => `${element} must not contain elements; expected a plain value.`,
  ],
  [
    /^'(.*)' is not a valid value of the [a-z ]*type(?: '([^']*)')?\.$/su,
    ([value, type], { element }) =>
      `${quoted(value ?? '')} is not a valid value of ${element}; expected ${typeName(type, element)}.`,
  ],
  [
    /^\[facet 'enumeration'\] The value '(.*)' is not an element of the set/su,
    ([value], { element }) => `${quoted(value ?? '')} is not among the values allowed for ${element}.`,
  ],
  [
    /^\[facet '(?:maxLength|minLength|length)'\]/u,
    (_, { element }) => `The value of ${element} is too long or too short.`,
  ],
  [/^\[facet/u, (_, { element }) => `The value of ${element} does not have the form required.`],
  [/^The element is not 'nillable'|nil/u, (_, { element }) => `${element} must not be declared empty with xsi:nil.`],
  [
    /QName|xsi:type|type definition|abstract/u,
    (_, { element }) => `The xsi:type given to ${element} is not one the schema knows.`,
  ],
  [/^No matching global/u, (_, { element }) => `${element} is not an element the schema knows.`],
];

/** The schema's errors as findings, one for each element: a second error of the same element follows from the first. */
export function schemaFindings(
  utf8: Buffer,
  tree: XmlTree,
  errors: readonly LibraryError[],
  most = MAX_FINDINGS,
): Finding[] {
  const elements = new Map(errors.toReversed().map((error) => [tree.elementOf(error.node), error.message]));
  const first = [...elements].reverse().slice(0, most);
  return first.map(([element, message]) => {
    const parent = tree.parent(element);
    const context = { element: shownName(tree, element), parent: parent === null ? null : shownName(tree, parent) };
    return { place: placeOf(utf8, tree, element), text: translate(message, context) };
  });
}

function translate(message: string, { element, parent }: Context): string {
  const [, attribute, statement] = /^Element '[^']*'(?:, attribute '([^']*)')?: (.*)$/su.exec(message) ?? [];
  const named = attribute === undefined ? element : `the attribute ${shown(attribute)} of ${element}`;
  for (const [pattern, format] of MESSAGES) {
    const match = pattern.exec(statement ?? '');
    if (match === null) continue;
    // Messages about an attribute that is missing or not allowed name it themselves.
    const aboutElement = statement?.startsWith('The attribute') === true;
    return format(match.slice(1), { element: aboutElement ? element : named, parent });
  }
  return `${named} does not agree with the UBL 2.1 schema.`;
}

function expected(list = ''): string {
  const names = list.split(', ').map(expectedName);
  const shortList = [...new Set(names)];
  if (shortList.length > MAX_EXPECTED_NAMES)
    return `one of ${shortList.slice(0, MAX_EXPECTED_NAMES).join(', ')} and others`;
  if (shortList.length <= 1) return shortList.join('');
  return `${shortList.slice(0, -1).join(', ')} or ${shortList.at(-1)}`;
}

/** libxml2 writes `{urn:…}ID`; a wildcard begins with `##`. */
function expectedName(name: string): string {
  return name.startsWith('##') ? 'an element of another namespace' : shown(name);
}

function shown(name = ''): string {
  const [, namespace, local] = /^\{([^}]*)\}(.*)$/su.exec(name) ?? [];
  const usual = local === undefined ? name : withoutNamespace(usualName(namespace ?? '', local));
  return nameText(usual);
}

/** libxml2 has no name for anonymous types, such as that of attachments. */
function typeName(type: string | undefined, element: string): string {
  if (type === undefined && element.endsWith('BinaryObject')) return 'Base64';
  return TYPES.get(type?.replace(/^.*[:}]/su, '') ?? '') ?? 'another form of value';
}
