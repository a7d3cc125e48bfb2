import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { conversionPage } from '../../../../scripts/conversion-page/conversion-page.ts';
import { DIRECTIVES_OF_PAGE } from '../../../../scripts/conversion-page/directives-and-defaults.ts';
import { contentOf } from '../../../../src/adapters/ubl/content/invoice-content.ts';
import { convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import { sourceFiles } from '../../../consistency/source-files.ts';
import { FULL_DOCUMENTS } from '../../ubl/element-uses/full-documents.ts';
import { CONTEXT } from './sample-content.ts';

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
  const program = new Set(sourceFiles(['src'], '.ts').flatMap(({ text }) => known(text)));
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
