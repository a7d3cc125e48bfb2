import { listed, type Message, message, type Value } from '../../../domain/messages/message.ts';
import { placeOf, shownName, withoutNamespace } from '../xml/element-place.ts';
import type { LibraryError } from '../xml/libxml2.ts';
import type { XmlTree } from '../xml/xml-tree.ts';
import type { Finding } from './findings.ts';
import { nameText, quoted } from './findings.ts';
import { usualName } from './ubl-names.ts';

type Context = { readonly element: Value; readonly parent: string | null };
type FormatMessage = (found: readonly string[], context: Context) => Message;

const MAX_EXPECTED_NAMES = 5;

const TYPES: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['date', message('type-date', { example: '2026-01-31' })],
  ['time', message('type-time', { example: '14:30:00' })],
  ['dateTime', message('type-date-and-time', { example: '2026-01-31T14:30:00' })],
  ['decimal', message('type-decimal', { example: '1234.50' })],
  ['integer', message('some-whole-number')],
  ['boolean', message('type-boolean', { yes: 'true', no: 'false' })],
  ['base64Binary', 'Base64'],
  ['anyURI', message('type-uri')],
  ['language', message('type-language', { example: 'mk' })],
  ['ID', message('type-identifier')],
]);

/** Errors of libxml2's schema validation and our messages for them. A value in them can be any text, so patterns are anchored. */
const MESSAGES: ReadonlyArray<readonly [RegExp, FormatMessage]> = [
  [
    /^This element is not expected\. Expected is (?:one of )?\( (.*) \)\.$/su,
    ([list], { element }) => message('element-not-allowed-here', { element, expected: expected(list) }),
  ],
  [
    /^This element is not expected\./u,
    (_, { element, parent }) => message('element-not-allowed-here', { element, expected: endOf(parent) }),
  ],
  [
    /^Missing child element\(s\)\. Expected is (?:one of )?\( (.*) \)\.$/su,
    ([list], { element }) => message('element-incomplete', { element, expected: expected(list) }),
  ],
  [/^Missing child element/u, (_, { element }) => message('element-lacks-more', { element })],
  [
    /^The attribute '(.*)' is required but missing\.$/su,
    ([name], { element }) => message('attribute-lacking', { element, attribute: shown(name) }),
  ],
  [
    /^The attribute '(.*)' is not allowed\.$/su,
    ([name], { element }) => message('attribute-not-allowed', { element, attribute: shown(name) }),
  ],
  [/^Character content/u, (_, { element }) => message('text-not-allowed', { element })],
  [/^Element content is not allowed/u, (_, { element }) => message('elements-not-allowed', { element })],
  [
    /^'(.*)' is not a valid value of the [a-z ]*type(?: '([^']*)')?\.$/su,
    ([value, type], { element }) =>
      message('value-not-valid', { value: quoted(value ?? ''), element, expected: typeName(type, element) }),
  ],
  [
    /^\[facet 'enumeration'\] The value '(.*)' is not an element of the set/su,
    ([value], { element }) => message('value-not-listed', { value: quoted(value ?? ''), element }),
  ],
  [/^\[facet '(?:maxLength|minLength|length)'\]/u, (_, { element }) => message('value-length-wrong', { element })],
  [/^\[facet/u, (_, { element }) => message('value-form-wrong', { element })],
  [
    /^The element is not 'nillable'|nil/u,
    (_, { element }) => message('declared-empty', { element, attribute: 'xsi:nil' }),
  ],
  [
    /QName|xsi:type|type definition|abstract/u,
    (_, { element }) => message('xsi-type-unknown', { attribute: 'xsi:type', element }),
  ],
  [/^No matching global/u, (_, { element }) => message('element-unknown', { element })],
];

/** The schema's errors as findings, one for each element: a second error of the same element follows from the first. */
export function schemaFindings(utf8: Buffer, tree: XmlTree, errors: readonly LibraryError[], most: number): Finding[] {
  const elements = new Map(errors.toReversed().map((error) => [tree.elementOf(error.node), error.message]));
  const first = [...elements].reverse().slice(0, most);
  return first.map(([element, error]) => {
    const parent = tree.parent(element);
    const context = { element: shownName(tree, element), parent: parent === null ? null : shownName(tree, parent) };
    return { place: placeOf(utf8, tree, element), said: translate(error, context) };
  });
}

function translate(error: string, { element, parent }: Context): Message {
  const [, attribute, statement] = /^Element '[^']*'(?:, attribute '([^']*)')?: (.*)$/su.exec(error) ?? [];
  const named = attribute === undefined ? element : message('attribute-of', { attribute: shown(attribute), element });
  for (const [pattern, format] of MESSAGES) {
    const match = pattern.exec(statement ?? '');
    if (match === null) continue;
    // Messages about an attribute that is missing or not allowed name it themselves.
    const aboutElement = statement?.startsWith('The attribute') === true;
    return format(match.slice(1), { element: aboutElement ? element : named, parent });
  }
  return message('schema-disagrees', { element: named });
}

function expected(list = ''): Value {
  const names = [...new Map(list.split(', ').map((name) => [expectedKey(name), expectedName(name)])).values()];
  if (names.length > MAX_EXPECTED_NAMES)
    return message('one-of-and-others', { names: listed(names.slice(0, MAX_EXPECTED_NAMES)) });
  const last = names.at(-1) ?? '';
  return names.length <= 1 ? last : message('one-or-the-last', { names: listed(names.slice(0, -1)), last });
}

/** libxml2 writes `{urn:…}ID`; a wildcard begins with `##`. */
function expectedName(name: string): Value {
  return name.startsWith('##') ? message('element-of-another-namespace') : shown(name);
}

/** By which a name is listed once, whichever wildcard it is. */
function expectedKey(name: string): string {
  return name.startsWith('##') ? '##' : shown(name);
}

function endOf(parent: string | null): Message {
  return parent === null ? message('end-of-document') : message('end-of', { element: parent });
}

function shown(name = ''): string {
  const [, namespace, local] = /^\{([^}]*)\}(.*)$/su.exec(name) ?? [];
  const usual = local === undefined ? name : withoutNamespace(usualName(namespace ?? '', local));
  return nameText(usual);
}

/** libxml2 has no name for anonymous types, such as those of attachments and amounts. */
const ANONYMOUS_TYPES: ReadonlyArray<readonly [RegExp, string]> = [
  [/BinaryObject$/u, 'base64Binary'],
  [/(?:Amount|Measure)$/u, 'decimal'],
];

function typeName(type: string | undefined, element: Value): Value {
  if (type === undefined && typeof element === 'string') {
    const found = ANONYMOUS_TYPES.find(([names]) => names.test(element))?.[1];
    return TYPES.get(found ?? '') ?? message('type-other');
  }
  return TYPES.get(type?.replace(/^.*[:}]/su, '') ?? '') ?? message('type-other');
}
