import { XmlDocument } from 'libxml2-wasm';
import { readSchemaFiles } from '../../src/adapters/ubl/judging/schema-files.ts';
import type { Random } from './seeds.ts';
import { type OutlinedElement, outlineXml, type XmlOutline } from './xml-outline.ts';

export type Mutation = { readonly xml: string; readonly description: string };

type Component = { readonly namespace: string; readonly name: string };

/** Undefined where the document offers nothing to mutate in this way. */
type Mutator = (random: Random, outline: XmlOutline) => Mutation | undefined;

const xsdNamespace = 'http://www.w3.org/2001/XMLSchema';
const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';
const extensionNamespace = 'urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2';

const attribute = /\s(?!xmlns)(?<name>[^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

/** Values that are right for one simple type and wrong for another. */
const texts = [
  ...['', '  ', 'abc', 'mk', 'a_b', '&lt;', '%%', 'urn:x y', 'AAAA', 'A===', 'true', 'TRUE'],
  ...['0', '1', '-1', '+1.50', '1,50', '.5', '1e5', 'INF', '9'.repeat(40)],
  ...['2024-02-29', '2023-02-29', '2024-01-01Z', '10000-01-01', '2024-01-01T10:00:00', '10:00:00', '24:00:00', '25:00'],
];

const attributeNames = [
  ...['currencyID', 'currencyCodeListVersionID', 'unitCode', 'mimeCode', 'filename', 'schemeID', 'schemeURI', 'listID'],
  ...['languageID', 'format', 'name', 'Id', 'URI', 'Algorithm', 'Encoding', 'Target', 'unknown', 'xml:lang'],
];

const globalElements = readComponents('xs:element/@name');
const namedTypes = readComponents('xs:complexType/@name|xs:simpleType/@name');

/**
 * Changes one thing below the root of a well-formed UBL document. The result is sometimes still valid and mostly still
 * well-formed: a moved element may leave the scope of its prefix.
 */
export function mutateUbl(random: Random, xml: string): Mutation {
  return mutateOutlined(random, outlineXml(xml));
}

/** The same for a document whose outline is known, as of one that is mutated again and again. */
export function mutateOutlined(random: Random, outline: XmlOutline): Mutation {
  for (;;) {
    const mutation = pick(random, mutators)(random, outline);
    if (mutation) return mutation;
  }
}

const mutators: readonly Mutator[] = [
  deleteElement,
  duplicateElement,
  swapSiblings,
  renameElement,
  moveElement,
  changeText,
  dropAttribute,
  changeAttribute,
  addAttribute,
  claimType,
  insertFromVocabulary,
  addExtension,
];

function deleteElement(random: Random, { xml, elements }: XmlOutline): Mutation {
  const { name, start, end } = pick(random, elements);
  return { xml: splice(xml, start, end, ''), description: `delete ${name} at ${start}` };
}

function duplicateElement(random: Random, { xml, elements }: XmlOutline): Mutation {
  const { name, start, end } = pick(random, elements);
  return { xml: splice(xml, end, end, xml.slice(start, end)), description: `duplicate ${name} at ${start}` };
}

function swapSiblings(random: Random, { xml, root, elements }: XmlOutline): Mutation | undefined {
  const parents = [root, ...elements].filter(({ children }) => children.length > 1);
  if (parents.length === 0) return undefined;
  const { children } = pick(random, parents);
  const position = Math.floor(random() * (children.length - 1));
  const [first, second] = children.slice(position);
  if (!first || !second) return undefined;
  const swapped =
    xml.slice(second.start, second.end) + xml.slice(first.end, second.start) + xml.slice(first.start, first.end);
  return {
    xml: splice(xml, first.start, second.end, swapped),
    description: `swap ${first.name} and ${second.name} at ${first.start}`,
  };
}

function renameElement(random: Random, { xml, elements }: XmlOutline): Mutation {
  const { name, start, contentEnd, end } = pick(random, elements);
  const prefix = name.includes(':') ? `${name.split(':')[0]}:` : '';
  const newName = prefix + pick(random, globalElements).name;
  const renamed =
    xml.slice(start, contentEnd).replace(name, newName) + xml.slice(contentEnd, end).replace(name, newName);
  return { xml: splice(xml, start, end, renamed), description: `rename ${name} at ${start} to ${newName}` };
}

function moveElement(random: Random, { xml, elements }: XmlOutline): Mutation | undefined {
  const moved = pick(random, elements);
  const target = pick(random, elements).start;
  if (target >= moved.start && target <= moved.end) return undefined;
  const text = xml.slice(moved.start, moved.end);
  const without = splice(xml, moved.start, moved.end, '');
  const position = target < moved.start ? target : target - text.length;
  return {
    xml: splice(without, position, position, text),
    description: `move ${moved.name} from ${moved.start} to ${target}`,
  };
}

function changeText(random: Random, { xml, elements }: XmlOutline): Mutation | undefined {
  const leaves = elements.filter(({ children, contentEnd, end }) => children.length === 0 && contentEnd < end);
  if (leaves.length === 0) return undefined;
  const leaf = pick(random, leaves);
  const text = pick(random, texts);
  return {
    xml: splice(xml, leaf.contentStart, leaf.contentEnd, text),
    description: `change the text of ${leaf.name} at ${leaf.start} to '${text}'`,
  };
}

function dropAttribute(random: Random, outline: XmlOutline): Mutation | undefined {
  return replaceAttribute(random, outline, () => '');
}

function changeAttribute(random: Random, outline: XmlOutline): Mutation | undefined {
  return replaceAttribute(random, outline, (name) => ` ${name}="${pick(random, texts)}"`);
}

function replaceAttribute(
  random: Random,
  { xml, elements }: XmlOutline,
  replacement: (name: string) => string,
): Mutation | undefined {
  const { name, start, contentStart } = pick(random, elements);
  const found = [...xml.slice(start, contentStart).matchAll(attribute)];
  if (found.length === 0) return undefined;
  const { index, groups, 0: old } = pick(random, found);
  const written = replacement(groups?.['name'] ?? '');
  return {
    xml: splice(xml, start + index, start + index + old.length, written),
    description: `replace${old} of ${name} at ${start} by '${written}'`,
  };
}

function addAttribute(random: Random, outline: XmlOutline): Mutation {
  return insertAttribute(random, outline, () => `${pick(random, attributeNames)}="${pick(random, texts)}"`);
}

function claimType(random: Random, outline: XmlOutline): Mutation {
  return insertAttribute(random, outline, (localName) => {
    const own = namedTypes.filter(({ name }) => name === `${localName}Type`);
    const { namespace, name } = pick(random, own.length > 0 && random() < 0.7 ? own : namedTypes);
    return `xmlns:i="${instanceNamespace}" xmlns:t="${namespace}" i:type="t:${name}"`;
  });
}

function insertAttribute(
  random: Random,
  { xml, elements }: XmlOutline,
  write: (localName: string) => string,
): Mutation {
  const { name, start } = pick(random, elements);
  const written = write(name.split(':').at(-1) ?? name);
  const position = start + 1 + name.length;
  return { xml: splice(xml, position, position, ` ${written}`), description: `add ${written} to ${name} at ${start}` };
}

function insertFromVocabulary(random: Random, { xml, elements }: XmlOutline): Mutation {
  const { start } = pick(random, elements);
  const inserted = vocabularyElement(random);
  return { xml: splice(xml, start, start, inserted), description: `insert ${inserted} at ${start}` };
}

function addExtension(random: Random, { xml, root, elements }: XmlOutline): Mutation {
  const content = extensionContent(random, xml, elements);
  const extension = `<e:UBLExtension xmlns:e="${extensionNamespace}"><e:ExtensionContent>${content}</e:ExtensionContent></e:UBLExtension>`;
  const container = root.children.find(({ name }) => name.endsWith('UBLExtensions'));
  const position = container?.contentStart ?? root.contentStart;
  const written = container
    ? extension
    : `<e:UBLExtensions xmlns:e="${extensionNamespace}">${extension}</e:UBLExtensions>`;
  return {
    xml: splice(xml, position, position, written),
    description: `add an extension with ${content.slice(0, 200)}`,
  };
}

function extensionContent(random: Random, xml: string, elements: readonly OutlinedElement[]): string {
  const { start, end } = pick(random, elements);
  const content = random() < 0.5 ? xml.slice(start, end) : vocabularyElement(random);
  return random() < 0.5 ? content : `<f:foreign xmlns:f="urn:foreign">${content}</f:foreign>`;
}

function vocabularyElement(random: Random): string {
  const { namespace, name } = pick(random, globalElements);
  const content = random() < 0.3 ? vocabularyElement(random) : pick(random, texts);
  return `<v:${name} xmlns:v="${namespace}">${content}</v:${name}>`;
}

function readComponents(xpath: string): Component[] {
  return Object.values(readSchemaFiles()).flatMap((bytes) => {
    using document = XmlDocument.fromBuffer(bytes);
    const namespace = document.root.attr('targetNamespace')?.value ?? '';
    return document.find(xpath, { xs: xsdNamespace }).map(({ content: name }) => ({ namespace, name }));
  });
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
}
