import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentOf } from '../../../../src/adapters/ubl/content/invoice-content.ts';
import type { ElementUse, ElementUses } from '../../../../src/adapters/ubl/element-uses/element-use.ts';
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

function deliveryUses(first: (...given: never[]) => ElementUse): ElementUse {
  return (first as unknown as (element: null, parent: null, index: number) => ElementUse)(null, null, 0);
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

function counts(xml: string, { start, end, contentStart, contentEnd }: OutlinedElement, before: string): boolean {
  const text = xml.slice(contentStart, contentEnd);
  const [, values = []] = OTHER_VALUES.find(([kind]) => kind.test(text)) ?? [];
  return values.some((value) => {
    const changed =
      value === null
        ? xml.slice(0, start) + xml.slice(end)
        : xml.slice(0, contentStart) + value + xml.slice(contentEnd);
    return outcomeOf(changed) !== before;
  });
}

type Counted = { readonly use: ReturnType<typeof useOf>; doesCount: boolean };

/** Whether the value of each element makes a difference in any of the documents, by the names that lead to it. */
function elementsThatCount(): ReadonlyMap<string, Counted> {
  const found = new Map<string, Counted>();
  for (const [index, xml] of FULL_DOCUMENTS.entries()) {
    const before = outcomeOf(xml);
    assert.match(before, /^\{"outcome":"converted"/u, before.slice(0, 500));
    const { root } = outlineXml(xml);
    const firstDelivery = root.children.find(({ name }) => name === 'cac:Delivery');
    const sent = root.children.filter((child) => child.name !== 'cac:Delivery' || child === firstDelivery);
    for (const { names, element } of sent.flatMap((child) => leaves(child, [child.name]))) {
      const path = names.join('/').replace('CreditNoteLine', 'InvoiceLine');
      const known = found.get(path) ?? { use: useOf(names), doesCount: false };
      found.set(path, known);
      // To try every value of an element that should not count in all documents would take minutes; two have nearly everything.
      const isTried = index < 2 || known.use === 'sent' || known.use === 'decides';
      if (isTried && !known.doesCount) known.doesCount = counts(xml, element, before);
    }
  }
  return found;
}

test('what the table of uses says is sent or decides does, and what it says is not does not', () => {
  const wrong = [...elementsThatCount()].flatMap(([path, { use, doesCount }]) => {
    const isRight = use === 'by-content' || (use === 'sent' || use === 'decides') === doesCount;
    return isRight ? [] : `${path}: ${JSON.stringify(use)}, though it ${doesCount ? 'counts' : 'does not count'}`;
  });
  assert.deepEqual(wrong, []);
});
