/** A namespace of our own, for schemas alone. */
const NAMESPACE = 'urn:dostava:collapsed-dates';
const FILE = 'collapsed-dates.xsd';
const TYPES = ['date', 'time', 'dateTime'];

const SCHEMA_TAG = /<(?:xsd?:)?schema\s[^<>]*>/u;
const USES = /\b(type|base)="(?:xsd?:)?(date|time|dateTime)"/gu;

/**
 * XML Schema ignores white space around a date or time. libxml2 does so only for types with a pattern, so every use of the three
 * types becomes one of a type with the pattern that every value has.
 */
export function withCollapsedDates(files: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array> {
  const changed = Object.entries(files).map(([name, bytes]) => [name, changedFile(name, bytes)] as const);
  return { ...Object.fromEntries(changed), [FILE]: new TextEncoder().encode(collapsedTypes()) };
}

function changedFile(name: string, bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  const changed = text.replaceAll(USES, '$1="collapsed:$2"');
  if (changed === text) return bytes;
  const location = '../'.repeat(name.split('/').length - 1) + FILE;
  const imported = `<import xmlns="http://www.w3.org/2001/XMLSchema" namespace="${NAMESPACE}" schemaLocation="${location}"/>`;
  const declared = changed.replace(
    SCHEMA_TAG,
    (tag) => `${tag.slice(0, -1)} xmlns:collapsed="${NAMESPACE}">${imported}`,
  );
  return new TextEncoder().encode(declared);
}

function collapsedTypes(): string {
  const types = TYPES.map(
    (type) => `<simpleType name="${type}"><restriction base="${type}"><pattern value=".*"/></restriction></simpleType>`,
  );
  return `<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="${NAMESPACE}">${types.join('')}</schema>`;
}
