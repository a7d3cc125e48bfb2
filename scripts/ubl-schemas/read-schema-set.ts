import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type XmlAttribute, XmlDocument, XmlElement } from 'libxml2-wasm';
import { type NamespaceFacts, type QualifiedName, type SchemaPart, xsdNamespace } from './schema-facts.ts';

type SchemaFile = NamespaceFacts & {
  /** The imported and included files, relative to this one. */
  readonly locations: readonly string[];
};

type AttributeRule = 'text' | 'reference' | 'ignored' | { readonly implied: string };

const occurrence = { minOccurs: { implied: '1' }, maxOccurs: { implied: '1' } } as const;
const wildcard = { namespace: { implied: '##any' }, processContents: { implied: 'strict' } } as const;

/** All the XSD that is understood; anything else stops the reading, so that no fact is lost unnoticed. */
const attributeRules: Readonly<Record<string, Readonly<Record<string, AttributeRule>>>> = {
  schema: {
    targetNamespace: 'text',
    elementFormDefault: 'text',
    attributeFormDefault: { implied: 'unqualified' },
    version: 'ignored',
  },
  element: { name: 'text', type: 'reference', ref: 'reference', ...occurrence },
  complexType: { name: 'text', mixed: { implied: 'false' }, abstract: { implied: 'false' } },
  simpleType: { name: 'text' },
  simpleContent: {},
  complexContent: {},
  extension: { base: 'reference' },
  restriction: { base: 'reference' },
  sequence: occurrence,
  choice: occurrence,
  any: { ...wildcard, ...occurrence },
  anyAttribute: wildcard,
  attribute: { name: 'text', type: 'reference', use: { implied: 'optional' } },
  enumeration: { value: 'text' },
};

/** The facts of the given schema files and of all they import and include, one entry per namespace. */
export function readSchemaSet(mainFiles: readonly string[]): NamespaceFacts[] {
  const facts = new Map<string, NamespaceFacts>();
  const files = new Set(mainFiles);
  for (const file of files) {
    const schema = readSchemaFile(file);
    facts.set(schema.namespace, merge(facts.get(schema.namespace), schema));
    for (const location of schema.locations) files.add(join(dirname(file), location));
  }
  return withoutEmptyNamespaces([...facts.values()]);
}

function merge(known: NamespaceFacts | undefined, found: SchemaFile): NamespaceFacts {
  return {
    namespace: found.namespace,
    imports: [...new Set([...(known?.imports ?? []), ...found.imports])].toSorted(),
    components: [...(known?.components ?? []), ...found.components],
  };
}

function withoutEmptyNamespaces(all: readonly NamespaceFacts[]): NamespaceFacts[] {
  const kept = all.filter(({ components }) => components.length > 0);
  const keptNamespaces = new Set(kept.map(({ namespace }) => namespace));
  return kept.map((facts) => ({ ...facts, imports: facts.imports.filter((name) => keptNamespaces.has(name)) }));
}

function readSchemaFile(file: string): SchemaFile {
  using document = XmlDocument.fromBuffer(readFileSync(file));
  const schema = Object.fromEntries(readAttributes(document.root));
  const namespace = schema['targetNamespace'];
  if (typeof namespace !== 'string' || schema['elementFormDefault'] !== 'qualified' || schema['attributeFormDefault']) {
    throw new Error(`${file} is not a schema of qualified elements and unqualified attributes`);
  }
  const children = xsdChildren(document.root);
  const links = children.filter(isLink);
  return {
    namespace,
    imports: links.flatMap((link) => link.attr('namespace')?.value ?? []),
    locations: links.flatMap((link) => link.attr('schemaLocation')?.value ?? []),
    components: children.filter((child) => !isLink(child)).map(readPart),
  };
}

function isLink(element: XmlElement): boolean {
  return element.name === 'import' || element.name === 'include';
}

function readPart(element: XmlElement): SchemaPart {
  return { kind: element.name, attributes: readAttributes(element), parts: xsdChildren(element).map(readPart) };
}

function xsdChildren(element: XmlElement): XmlElement[] {
  const children: XmlElement[] = [];
  for (let node = element.firstChild; node; node = node.next) {
    if (node instanceof XmlElement && node.name !== 'annotation') children.push(node);
  }
  return children;
}

function readAttributes(element: XmlElement): SchemaPart['attributes'] {
  const rules = element.namespaceUri === xsdNamespace ? attributeRules[element.name] : undefined;
  if (!rules) throw new Error(`<${element.name}> at line ${element.line} is not understood`);
  return element.attrs.flatMap((attribute) => readAttribute(element, attribute, rules));
}

function readAttribute(
  element: XmlElement,
  { name, value }: XmlAttribute,
  rules: Readonly<Record<string, AttributeRule>>,
): SchemaPart['attributes'] {
  const rule = rules[name];
  if (!rule) throw new Error(`${name} of <${element.name}> at line ${element.line} is not understood`);
  if (rule === 'ignored' || (typeof rule === 'object' && rule.implied === value)) return [];
  return [[name, rule === 'reference' ? resolve(element, value) : value]];
}

function resolve(element: XmlElement, reference: string): QualifiedName {
  const [name = '', prefix = ''] = reference.split(':').reverse();
  const namespace = element.namespaceForPrefix(prefix);
  if (namespace === null) throw new Error(`The prefix of ${reference} at line ${element.line} is not declared`);
  return { namespace, name };
}
