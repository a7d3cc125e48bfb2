import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { conversionPage } from '../../../../scripts/conversion-page/conversion-page.ts';
import { DIRECTIVES_OF_PAGE } from '../../../../scripts/conversion-page/directives-and-defaults.ts';
import { rowOf } from '../../../../scripts/conversion-page/element-tables.ts';
import { MEMBERS_OF_ELEMENTS } from '../../../../scripts/conversion-page/members.ts';
import { contentOf } from '../../../../src/adapters/ubl/content/stored-content.ts';
import { convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import { sourceFiles } from '../../../consistency/source-files.ts';
import { type OutlinedElement, outlineXml } from '../../../support/xml-outline.ts';
import { FULL_DOCUMENTS } from '../../ubl/element-uses/full-documents.ts';
import { ALFA, CONTEXT } from './sample-content.ts';

const INVOICE = readFileSync(new URL('../../../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const CORRECTED = `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>2026-6001</cbc:ID>
  <cbc:UUID>01a1e45d-fa27-73c1-8fa8-49cb262807f6</cbc:UUID><cbc:IssueDate>2026-11-01</cbc:IssueDate>
</cac:InvoiceDocumentReference></cac:BillingReference>`;

function payloadOf(xml: string): object {
  const conversion = convert(contentOf(Buffer.from(xml)), CONTEXT);
  assert.ok(conversion.outcome === 'converted', JSON.stringify(conversion));
  return conversion.payload;
}

/** The names of all members, and the values of the one that is asked for. */
function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => [[name, inner] as const, ...membersOf(inner)]);
}

/** The example with a piece of the page in the place where it belongs, in place of what is there once. */
function withPiece(piece: string): string {
  const name = /^<([\w:]+)/u.exec(piece)?.[1] ?? '';
  const isSingle = /TypeCode|PaymentMeansCode/u.test(name);
  if (isSingle) return INVOICE.replace(new RegExp(`<${name}>.*?</${name}>`, 'u'), piece);
  const before = name === 'cac:OriginCountry' ? '<cac:ClassifiedTaxCategory>' : '<cac:AccountingSupplierParty>';
  return INVOICE.replace(before, `${piece}${before}`);
}

for (const [name, { ways, member, value }] of Object.entries(DIRECTIVES_OF_PAGE)) {
  test(`every way to state ${name} that the page shows is understood`, () => {
    for (const way of ways) {
      const asCorrection = (xml: string) =>
        xml
          .replace('<cbc:InvoiceTypeCode>380', '<cbc:InvoiceTypeCode>384')
          .replace('<cac:AccountingSupplierParty>', `${CORRECTED}$&`);
      const xml = name === 'UJP:correctionReason' ? asCorrection(withPiece(way)) : withPiece(way);
      const values = membersOf(payloadOf(xml)).flatMap(([one, inner]) => (one === member ? [inner] : []));
      assert.equal(values[0], value, way);
    }
  });
}

test('the page has every directive that the program knows, and no other', () => {
  const known = (text: string) => [...text.matchAll(/UJP:[a-z]\w+/gu)].map(([directive]) => directive);
  // The way back has names of its own, which say nothing to the authority.
  const isForward = ({ path }: { readonly path: string }) => !/\/ujp\/(?:as-ubl|document-schema)\//u.test(path);
  const program = new Set(
    sourceFiles(['src'], '.ts')
      .filter(isForward)
      .flatMap(({ text }) => known(text)),
  );
  assert.ok(program.size >= 4, `${program.size} directives`);
  assert.deepEqual([...new Set(known(conversionPage()))].toSorted(), [...program].toSorted());
});

test("the page names every member of the authority's document, and none that it does not have", () => {
  const documents = [...Object.values(FULL_DOCUMENTS), INVOICE].map((xml) =>
    convert(contentOf(Buffer.from(xml)), CONTEXT),
  );
  const payloads = documents.flatMap((conversion) => (conversion.outcome === 'converted' ? [conversion.payload] : []));
  const corrections = ['correctionReasonCode', 'correctionReason', 'correctionReasonComment'];
  const groups = ['document', 'header', 'docReferences', 'docPayment', 'docItems', 'docTotals', 'seller', 'buyer'];
  const members = new Set([...payloads.flatMap(membersOf).map(([name]) => name), ...corrections]);
  for (const group of groups) members.delete(group);
  const named = new Set([...conversionPage().matchAll(/`([a-z]\w+)`/gu)].map(([, name = '']) => name));
  const others = ['left', 'false', 'hasReference'];
  assert.deepEqual([...members.difference(named)], [], 'not on the page');
  assert.deepEqual(
    [...named.difference(members)].filter((name) => !others.includes(name)),
    [],
    'not in the document',
  );
});

/** Another value of the kind that an element holds. */
const OTHER_VALUES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\d{4}-\d{2}-\d{2}$/u, ['2026-01-15']],
  [/^-?\d{1,3}(?:\.\d+)?$/u, ['7', '110']],
  [/^/u, ['x', 'DE']],
];
/** The first has nearly everything; a minute of work for all of them is too much for each run. */
const DOCUMENTS = process.env['TEST_LONG'] === '1' ? FULL_DOCUMENTS : FULL_DOCUMENTS.slice(0, 1);
/** A buyer that is not registered, so that names and addresses are those of the document. */
const UNREGISTERED = { ...CONTEXT, buyer: null, seller: { ...ALFA, vatNumber: null } };

function leavesOf(element: OutlinedElement, path: string): readonly (readonly [string, OutlinedElement])[] {
  const inner = element.children.flatMap((child) => leavesOf(child, `${path}/${child.name}`));
  return element.children.length === 0 ? [[path, element]] : inner;
}

/** The members whose values are others in the second payload. */
function changedMembers(before: object, after: object): readonly string[] {
  const [one, other] = [before, after].map((payload) => Map.groupBy(membersOf(payload), ([name]) => name));
  const names = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]);
  return [...names].filter((name) => JSON.stringify(one?.get(name)) !== JSON.stringify(other?.get(name)));
}

/** Those that the page names for the element. */
function namedMembers(path: string): readonly string[] {
  const role = path.includes('AccountingSupplierParty') ? 'seller' : 'buyer';
  const text = (MEMBERS_OF_ELEMENTS[rowOf(MEMBERS_OF_ELEMENTS, path) ?? ''] ?? '').replaceAll('{role}', role);
  return [...text.matchAll(/`([a-z]\w+)`/gu)].map(([, name = '']) => name);
}

/** The members that another value of the element changes, where the document can still be converted. */
function effectOf(xml: string, { contentStart, contentEnd }: OutlinedElement, before: object): readonly string[] {
  const [, values = []] = OTHER_VALUES.find(([kind]) => kind.test(xml.slice(contentStart, contentEnd))) ?? [];
  return values.flatMap((value) => {
    const changed = xml.slice(0, contentStart) + value + xml.slice(contentEnd);
    const conversion = convert(contentOf(Buffer.from(changed)), UNREGISTERED);
    return conversion.outcome === 'converted' ? changedMembers(before, conversion.payload) : [];
  });
}

test('an element whose value is sent changes a member that the page names for it', () => {
  const right = new Set<string>();
  const wrong = new Map<string, readonly string[]>();
  for (const xml of DOCUMENTS) {
    const before = convert(contentOf(Buffer.from(xml)), UNREGISTERED);
    assert.ok(before.outcome === 'converted');
    for (const [path, element] of leavesOf(outlineXml(xml).root, 'Invoice')) {
      const named = namedMembers(path);
      const effect = named.length === 0 || right.has(path) ? [] : effectOf(xml, element, before.payload);
      if (effect.some((member) => named.includes(member))) right.add(path);
      else if (effect.length > 0) wrong.set(path, effect);
    }
  }
  assert.deepEqual(
    [...wrong].filter(([path]) => !right.has(path)),
    [],
  );
  assert.ok(right.size >= 40, `${right.size} elements`);
});
