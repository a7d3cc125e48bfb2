import { documentNamespaces } from '../judging/ubl-names.ts';
import { readSchemaNodes, type SchemaNode } from './schema-nodes.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema';

/** The simple types whose values the scanner can judge. */
const VALUE_TYPES = [
  'string',
  'normalizedString',
  'decimal',
  'date',
  'time',
  'dateTime',
  'boolean',
  'base64Binary',
  'language',
  'anyURI',
] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

export type AttributeModel = { readonly name: string; readonly type: ValueType; readonly isRequired: boolean };

/** One place in the sequence of an element's children. */
export type Particle = { readonly element: ElementModel; readonly isRequired: boolean; readonly isRepeatable: boolean };

/** `unknown`: a content that the scanner leaves to the parser. */
export type Content =
  | { readonly kind: 'children'; readonly particles: readonly Particle[] }
  | { readonly kind: 'value'; readonly type: ValueType; readonly attributes: readonly AttributeModel[] }
  | { readonly kind: 'unknown' };

export type ElementModel = { readonly namespace: string; readonly localName: string; content: Content };

/** A declaration, and what names mean in its file. */
type NamedNode = { readonly node: SchemaNode; readonly keyOf: (name: string) => string };
type Value = Extract<Content, { kind: 'value' }>;

const UNKNOWN: Content = { kind: 'unknown' };

/** The content models of the elements that an invoice or a credit note can contain, and of these two. */
export function readContentModels(files: Readonly<Record<string, Uint8Array>>): readonly ElementModel[] {
  const { elements, types } = readDeclarations(files);
  const models = new Map<string, ElementModel>();
  const values = new Map<string, Value | null>();

  /** Elements contain each other, so an element is known before its content is. */
  function modelOf(key: string): ElementModel {
    const known = models.get(key);
    if (known !== undefined) return known;
    const [namespace = '', localName = ''] = splitKey(key);
    const model: ElementModel = { namespace, localName, content: UNKNOWN };
    models.set(key, model);
    const declared = elements.get(key);
    if (declared !== undefined) model.content = contentOf(referred(declared, 'type'));
    return model;
  }

  function contentOf(type: string): Content {
    const declared = types.get(type);
    const [body, ...more] = declared?.node.children ?? [];
    if (declared === undefined || body === undefined || more.length > 0) return UNKNOWN;
    if (body.name === 'simpleContent') return valueFor(type) ?? UNKNOWN;
    if (body.name !== 'sequence' || body.children.some((child) => !isReference(child))) return UNKNOWN;
    const particles = body.children.map((child) => particleOf({ ...declared, node: child }));
    const isAmbiguous = new Set(particles.map(({ element }) => element)).size < particles.length;
    return isAmbiguous ? UNKNOWN : { kind: 'children', particles };
  }

  function particleOf(declared: NamedNode): Particle {
    const { attributes } = declared.node;
    return {
      element: modelOf(referred(declared, 'ref')),
      isRequired: attributes.get('minOccurs') !== '0',
      isRepeatable: attributes.get('maxOccurs') === 'unbounded',
    };
  }

  /** Hundreds of types are derived from a few. */
  function valueFor(type: string): Value | null {
    const known = values.get(type);
    if (known !== undefined) return known;
    const value = readValue(type);
    values.set(type, value);
    return value;
  }

  function readValue(type: string): Value | null {
    const [namespace, localName] = splitKey(type);
    if (namespace === XSD) return isValueType(localName) ? { kind: 'value', type: localName, attributes: [] } : null;
    const declared = types.get(type);
    const derivation = declared?.node.children[0]?.children[0];
    if (declared === undefined || derivation === undefined) return null;
    if (derivation.children.some(({ name, children }) => name !== 'attribute' || children.length > 0)) return null;
    const base = valueFor(referred({ ...declared, node: derivation }, 'base'));
    const attributes = derivation.children.map((node) => attributeOf({ ...declared, node }));
    if (base === null || attributes.includes(null)) return null;
    const own = attributes.filter((attribute) => attribute !== null);
    const inherited = base.attributes.filter(({ name }) => own.every((attribute) => attribute.name !== name));
    return { ...base, attributes: [...inherited, ...own] };
  }

  for (const [localName, namespace] of Object.entries(documentNamespaces)) modelOf(key(namespace, localName));
  return [...models.values()];
}

function attributeOf(declared: NamedNode): AttributeModel | null {
  const { attributes } = declared.node;
  const [namespace, type] = splitKey(referred(declared, 'type'));
  const use = attributes.get('use') ?? 'optional';
  if (namespace !== XSD || !isValueType(type) || (use !== 'optional' && use !== 'required')) return null;
  return { name: attributes.get('name') ?? '', type, isRequired: use === 'required' };
}

/** Elements and types by namespace and name. */
function readDeclarations(files: Readonly<Record<string, Uint8Array>>) {
  const elements = new Map<string, NamedNode>();
  const types = new Map<string, NamedNode>();
  for (const [file, bytes] of Object.entries(files)) {
    if (!file.endsWith('.xsd')) continue;
    const schema = readSchemaNodes(new TextDecoder().decode(bytes));
    const keyOf = keysOf(schema);
    const namespace = schema.attributes.get('targetNamespace') ?? '';
    for (const node of schema.children) {
      const name = key(namespace, node.attributes.get('name') ?? '');
      if (node.name === 'element') elements.set(name, { node, keyOf });
      else if (node.name === 'complexType') types.set(name, { node, keyOf });
    }
  }
  return { elements, types };
}

function prefixesOf({ attributes }: SchemaNode): ReadonlyMap<string, string> {
  const declarations = [...attributes].filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  return new Map(declarations.map(([name, namespace]) => [name.slice('xmlns:'.length), namespace]));
}

/** The same name stands in a file some hundred times, and is looked up once. */
function keysOf(schema: SchemaNode): NamedNode['keyOf'] {
  const prefixes = prefixesOf(schema);
  const keys = new Map<string, string>();
  return (name) => {
    const known = keys.get(name);
    if (known !== undefined) return known;
    const [prefix, local] = name.includes(':') ? name.split(':') : ['', name];
    const found = key(prefixes.get(prefix ?? '') ?? '', local ?? '');
    keys.set(name, found);
    return found;
  };
}

/** What an attribute such as `type="cbc:IDType"` names. */
function referred({ node, keyOf }: NamedNode, attribute: string): string {
  return keyOf(node.attributes.get(attribute) ?? '');
}

function isReference({ name, attributes }: SchemaNode): boolean {
  const minimum = attributes.get('minOccurs') ?? '1';
  const maximum = attributes.get('maxOccurs') ?? '1';
  return (
    name === 'element' &&
    attributes.has('ref') &&
    (minimum === '0' || minimum === '1') &&
    (maximum === '1' || maximum === 'unbounded')
  );
}

function isValueType(name: string | undefined): name is ValueType {
  return VALUE_TYPES.some((type) => type === name);
}

function key(namespace: string, localName: string): string {
  return `${namespace} ${localName}`;
}

function splitKey(name: string): readonly string[] {
  return name.split(' ');
}
