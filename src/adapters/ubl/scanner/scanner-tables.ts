import { documentNamespaces, usualName } from '../judging/ubl-names.ts';
import { type Content, type ElementModel, type Particle, readContentModels, type ValueType } from './content-models.ts';
import { type NameBytes, nameBytes } from './name-hash.ts';
import {
  isBase64,
  isBoolean,
  isDate,
  isDateTime,
  isDecimal,
  isLanguage,
  isTime,
  isUri,
  type ValueCheck,
} from './value-bytes.ts';

/** How the value of a simple type is judged: texts are checked while they are read, every other type by its bytes. */
export type ValueRule =
  | { readonly kind: 'text'; readonly allowsBreaks: boolean }
  | { readonly kind: 'bytes'; readonly check: ValueCheck; readonly ignoresSpace: boolean };

export type AttributeRule = { readonly text: string; readonly name: NameBytes; readonly rule: ValueRule };

/** What the scanner knows of an element. */
export type ElementRule = {
  /** The same for all elements of this name. */
  readonly id: number;
  readonly namespace: string;
  readonly name: NameBytes;
  /** What may be inside; null for an element with a value. */
  children: ChildRules | null;
  /** Null where the element has children, or where its content is left to the parser. */
  value: ValueRule | null;
  attributes: readonly AttributeRule[];
  /** A bit for each attribute that must be there. */
  requiredAttributes: number;
};

/** The children of an element in their order. */
export type ChildRules = {
  readonly elements: readonly ElementRule[];
  /** The numbers of their names. */
  readonly hashes: Int32Array;
  readonly areRepeatable: readonly boolean[];
  /** For each place the next one, itself included, whose child must be there; the number of places where there is none. */
  readonly nextRequired: Int32Array;
};

export type ScannerTables = {
  readonly roots: readonly ElementRule[];
  /** The usual names of elements, by their `id`. */
  readonly names: readonly string[];
  /** The `id` of elements by their usual names. */
  readonly ids: ReadonlyMap<string, number>;
  /** Those of all elements; each rule has one of these strings, not another that is equal. */
  readonly namespaces: readonly string[];
};

const ROOTS: ReadonlySet<string> = new Set(Object.values(documentNamespaces));

const VALUE_RULES: Readonly<Record<ValueType, ValueRule>> = {
  string: { kind: 'text', allowsBreaks: true },
  normalizedString: { kind: 'text', allowsBreaks: false },
  decimal: { kind: 'bytes', check: isDecimal, ignoresSpace: true },
  date: { kind: 'bytes', check: isDate, ignoresSpace: true },
  time: { kind: 'bytes', check: isTime, ignoresSpace: true },
  dateTime: { kind: 'bytes', check: isDateTime, ignoresSpace: true },
  boolean: { kind: 'bytes', check: isBoolean, ignoresSpace: true },
  base64Binary: { kind: 'bytes', check: isBase64, ignoresSpace: true },
  language: { kind: 'bytes', check: isLanguage, ignoresSpace: false },
  anyURI: { kind: 'bytes', check: isUri, ignoresSpace: false },
};

/** Makes the tables of the scanner from our schemas. */
export function createScannerTables(files: Readonly<Record<string, Uint8Array>>): ScannerTables {
  const models = readContentModels(files);
  const namespaces = [...new Set(models.map(({ namespace }) => namespace))];
  const sameNamespace = (text: string) => namespaces.find((namespace) => namespace === text) ?? text;
  const rules = new Map<ElementModel, ElementRule>(
    models.map((model, id) => [model, emptyRule(id, sameNamespace(model.namespace), model.localName)]),
  );
  for (const [model, rule] of rules) fill(rule, model.content, (element) => ruleOf(rules, element));
  const names = models.map(({ namespace, localName }) => usualName(namespace, localName));
  return {
    roots: [...rules.values()].filter(({ namespace }) => ROOTS.has(namespace)),
    names,
    ids: new Map(names.map((name, id) => [name, id])),
    namespaces,
  };
}

function emptyRule(id: number, namespace: string, localName: string): ElementRule {
  const name = nameBytes(localName);
  return { id, namespace, name, children: null, value: null, attributes: [], requiredAttributes: 0 };
}

function fill(rule: ElementRule, content: Content, ruleFor: (element: ElementModel) => ElementRule): void {
  if (content.kind === 'unknown') return;
  if (content.kind === 'children') {
    rule.children = childRules(content.particles, ruleFor);
    return;
  }
  rule.value = VALUE_RULES[content.type];
  rule.attributes = content.attributes.map(({ name, type }) => ({
    text: name,
    name: nameBytes(name),
    rule: VALUE_RULES[type],
  }));
  for (const [index, { isRequired }] of content.attributes.entries()) {
    if (isRequired) rule.requiredAttributes |= 1 << index;
  }
}

function childRules(particles: readonly Particle[], ruleFor: (element: ElementModel) => ElementRule): ChildRules {
  const elements = particles.map(({ element }) => ruleFor(element));
  const nextRequired = new Int32Array(particles.length + 1).fill(particles.length);
  for (let place = particles.length - 1; place >= 0; place -= 1) {
    nextRequired[place] = particles[place]?.isRequired === true ? place : (nextRequired[place + 1] ?? 0);
  }
  return {
    elements,
    hashes: Int32Array.from(elements, ({ name }) => name.hash),
    areRepeatable: particles.map(({ isRepeatable }) => isRepeatable),
    nextRequired,
  };
}

function ruleOf(rules: ReadonlyMap<ElementModel, ElementRule>, element: ElementModel): ElementRule {
  const rule = rules.get(element);
  if (rule === undefined) throw new Error(`The element ${element.localName} is not among those of the schemas`);
  return rule;
}
