import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentOf } from '../../../../src/adapters/ubl/content/stored-content.ts';
import type { ElementUse, ElementUses, UseByContent } from '../../../../src/adapters/ubl/element-uses/element-use.ts';
import { DOCUMENT } from '../../../../src/adapters/ubl/element-uses/uses-in-documents.ts';
import { convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import { ALFA_EDB } from '../../../support/ubl-samples.ts';
import { type OutlinedElement, outlineXml } from '../../../support/xml-outline.ts';
import { FULL_DOCUMENTS } from '../../ubl/element-uses/full-documents.ts';
import { ALFA, CONTEXT } from './sample-content.ts';

/** Another value of the kind that an element holds; null is for leaving it out. */
const OTHER_VALUES: readonly (readonly [RegExp, readonly (string | null)[]])[] = [
  [/^\d{4}-\d{2}-\d{2}$/u, ['2026-01-15', null]],
  [/^-?\d{1,3}(?:\.\d+)?$|^\d+\.\d+$/u, ['7', '110', null]],
  [/^(?:true|false)$/u, ['true', 'false', null]],
  [/^/u, ['x', 'DE', 'MKD', 'divide', ALFA_EDB, null]],
];

/** A buyer that is not registered, so that names and addresses are those of the document, and a seller without a VAT number. */
const UNREGISTERED = { ...CONTEXT, buyer: null, seller: { ...ALFA, vatNumber: null } };

type Leaf = { readonly names: readonly string[]; readonly element: OutlinedElement };

/** The row for an element, or `by-content` where its values decide. */
function useOf(names: readonly string[]): ElementUse | 'by-content' | undefined {
  let use: ElementUse | undefined = DOCUMENT;
  for (const [index, name] of names.entries()) {
    if (typeof use === 'function') use = index === 1 && names[0] === 'cac:Delivery' ? deliveryUses(use) : use;
    if (typeof use === 'function') return 'by-content';
    if (!(use instanceof Map)) return use;
    use = (use as ElementUses).get(name) ?? (use as ElementUses).get('*');
  }
  return typeof use === 'function' ? 'by-content' : use;
}

function deliveryUses(first: UseByContent): ElementUse {
  return (first as unknown as () => (element: null, index: number) => ElementUse)()(null, 0);
}

function leaves(element: OutlinedElement, names: readonly string[]): readonly Leaf[] {
  if (element.children.length === 0) return [{ names, element }];
  return element.children.flatMap((child) => leaves(child, [...names, child.name]));
}

/** What becomes of a document: all that is sent, the failure, and the warnings that are not about elements without a member. */
function outcomeOf(xml: string): string {
  const conversion = convert({ ...contentOf(Buffer.from(xml)), unconverted: [] }, UNREGISTERED);
  const warnings = conversion.warnings.map(({ code, path }) => [code, path]);
  return JSON.stringify({ ...conversion, warnings });
}

/** The document with another value of each of the elements, the one at a place of their lists; those with shorter lists stay. */
function changed(xml: string, elements: readonly OutlinedElement[], place: number): string {
  let [done, made] = [0, ''];
  for (const { start, end, contentStart, contentEnd } of elements) {
    const value = otherValues(xml, { contentStart, contentEnd })[place];
    if (value === undefined) continue;
    const [from, to] = value === null ? [start, end] : [contentStart, contentEnd];
    made += xml.slice(done, from) + (value ?? '');
    done = to;
  }
  return made + xml.slice(done);
}

function otherValues(
  xml: string,
  { contentStart, contentEnd }: Pick<OutlinedElement, 'contentStart' | 'contentEnd'>,
): readonly (string | null)[] {
  const text = xml.slice(contentStart, contentEnd);
  return OTHER_VALUES.find(([kind]) => kind.test(text))?.[1] ?? [];
}

function doAnyCount(xml: string, elements: readonly OutlinedElement[], before: string): boolean {
  const places = Math.max(...elements.map((element) => otherValues(xml, element).length));
  return Array.from({ length: places }).some((_, place) => outcomeOf(changed(xml, elements, place)) !== before);
}

/** Which of the elements, in the order of the document, count. Many are changed at a time: as long as none counts, one look will do. */
function thoseThatCount(xml: string, tried: readonly Leaf[], before: string): readonly Leaf[] {
  const elements = tried.map(({ element }) => element);
  if (tried.length === 0 || !doAnyCount(xml, elements, before)) return [];
  if (tried.length === 1) return tried;
  const half = Math.ceil(tried.length / 2);
  return [tried.slice(0, half), tried.slice(half)].flatMap((some) => thoseThatCount(xml, some, before));
}

function isSentOrDecides(use: ReturnType<typeof useOf>): boolean {
  return use === 'sent' || use === 'decides';
}

type Counted = { readonly use: ReturnType<typeof useOf>; doesCount: boolean };

/** Whether the value of each element makes a difference in any of the documents, by the names that lead to it. */
function elementsThatCount(): ReadonlyMap<string, Counted> {
  const found = new Map<string, Counted>();
  for (const xml of FULL_DOCUMENTS) {
    const before = outcomeOf(xml);
    assert.match(before, /^\{"outcome":"converted"/u, before.slice(0, 500));
    const tried = sentLeaves(xml).filter((leaf) => {
      const known = found.get(pathOf(leaf)) ?? { use: useOf(leaf.names), doesCount: false };
      found.set(pathOf(leaf), known);
      return known.use !== 'by-content' && !known.doesCount;
    });
    const [should, shouldNot] = [true, false].map((isUsed) =>
      tried.filter(({ names }) => isUsed === isSentOrDecides(useOf(names))),
    );
    for (const leaf of [should, shouldNot].flatMap((some) => thoseThatCount(xml, some ?? [], before)))
      (found.get(pathOf(leaf)) as Counted).doesCount = true;
  }
  return found;
}

function sentLeaves(xml: string): readonly Leaf[] {
  const { root } = outlineXml(xml);
  const firstDelivery = root.children.find(({ name }) => name === 'cac:Delivery');
  const sent = root.children.filter((child) => child.name !== 'cac:Delivery' || child === firstDelivery);
  return sent.flatMap((child) => leaves(child, [child.name]));
}

function pathOf({ names }: Leaf): string {
  return names.join('/').replace('CreditNoteLine', 'InvoiceLine');
}

test('what the table of uses says is sent or decides does, and what it says is not does not', () => {
  const wrong = [...elementsThatCount()].flatMap(([path, { use, doesCount }]) => {
    const isRight = use === 'by-content' || isSentOrDecides(use) === doesCount;
    return isRight ? [] : `${path}: ${JSON.stringify(use)}, though it ${doesCount ? 'counts' : 'does not count'}`;
  });
  assert.deepEqual(wrong, []);
});
