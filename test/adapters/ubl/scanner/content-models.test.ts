import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileUblSchemas } from '../../../../src/adapters/ubl/judging/compile-schemas.ts';
import { readSchemaFiles } from '../../../../src/adapters/ubl/judging/schema-files.ts';
import { usualName } from '../../../../src/adapters/ubl/judging/ubl-names.ts';
import { type ElementModel, readContentModels } from '../../../../src/adapters/ubl/scanner/content-models.ts';
import { DocumentScanner } from '../../../../src/adapters/ubl/scanner/document-scanner.ts';
import { createScannerTables } from '../../../../src/adapters/ubl/scanner/scanner-tables.ts';
import { parseXml } from '../../../../src/adapters/ubl/xml/libxml2.ts';
import type { DocumentKind } from '../../../../src/domain/documents/invoice-facts.ts';
import { documentWith, pathsTo, shortest, valued } from './model-documents.ts';
import { VALUES_TO_TRY } from './values-to-try.ts';

const schemas = compileUblSchemas();
const models = readContentModels(readSchemaFiles());
const scanner = new DocumentScanner(createScannerTables(readSchemaFiles()));

function isValid(xml: string, kind: DocumentKind): boolean {
  const document = parseXml(Buffer.from(xml), true);
  if (!('root' in document)) return false;
  using parsed = document;
  return parsed.validate(schemas[kind], 1).length === 0;
}

function isTaken(xml: string): boolean {
  return scanner.scan(Buffer.from(xml)) !== null;
}

function rootOf(kind: DocumentKind): ElementModel {
  const root = models.find(({ localName, namespace }) => localName === kind && namespace.endsWith(`:${kind}-2`));
  assert.ok(root !== undefined);
  return root;
}

/** Children in the order of the model, and what is next to that: one missing, doubled, at another place, or a stranger. */
function* neighbours(element: ElementModel): Generator<string> {
  if (element.content.kind !== 'children') return;
  const all = element.content.particles.map((particle) => ({ ...particle, markup: shortest(particle.element) }));
  const known = all.filter(({ markup }) => markup !== null);
  yield known.map(({ markup }) => markup).join('');
  for (const [place, { isRequired }] of known.entries()) {
    const children = known.filter((child) => child.isRequired || child === known[place]).map(({ markup }) => markup);
    const required = known.filter((child) => child.isRequired);
    const at = required.filter((child) => known.indexOf(child) < place).length;
    yield children.join('');
    yield [...children.slice(0, at), children[at], ...children.slice(at)].join('');
    yield [...children.slice(0, at), ...children.slice(at + 1)].join('');
    if (at > 0)
      yield [...children.slice(0, at - 1), children[at], children[at - 1], ...children.slice(at + 1)].join('');
    if (isRequired) yield [...children.slice(0, at), '<cbc:AccountingCost/>', ...children.slice(at)].join('');
  }
}

describe('the scanner and the parser agree, also where something is wrong,', () => {
  const ofInvoice = pathsTo(rootOf('Invoice'));
  const ofCreditNote = pathsTo(rootOf('CreditNote'));
  const isLong = process.env['TEST_LONG'] === '1';
  /** What both have, both have from the same models and the same types of the schemas: the other test shows it. */
  const onlyOfCreditNote = [...ofCreditNote].filter(([element]) => isLong || !ofInvoice.has(element));

  test('on every content model of Invoice and on its neighbours', () => {
    const outcomes = [...ofInvoice].flatMap(([element, path]) => judged('Invoice', element, path));
    const valid = outcomes.filter(Boolean).length;
    assert.ok(valid > 1000 && outcomes.length - valid > 1000, `${valid} valid of ${outcomes.length}`);
  });

  test('on every content model that CreditNote has and Invoice has not, and on its neighbours', () => {
    const outcomes = onlyOfCreditNote.flatMap(([element, path]) => judged('CreditNote', element, path));
    const valid = outcomes.filter(Boolean).length;
    assert.ok(valid > 200 && outcomes.length - valid > 100, `${valid} valid of ${outcomes.length}`);
  });
});

/** Which of the neighbours of a content model are valid; the scanner must say the same. */
function judged(kind: DocumentKind, element: ElementModel, path: readonly ElementModel[]): readonly boolean[] {
  const documents = [...neighbours(element)].map((children) => documentWith(path, shortest(element, children) ?? ''));
  return documents
    .filter((xml) => xml !== null)
    .map((xml) => {
      const isRight = isValid(xml, kind);
      assert.equal(isTaken(xml), isRight, `${usualName(element.namespace, element.localName)}: ${xml}`);
      return isRight;
    });
}

describe('a value that the scanner takes is valid for the parser:', () => {
  const paths = pathsTo(rootOf('Invoice'));
  const byType = Map.groupBy(
    [...paths].filter(([{ content }]) => content.kind === 'value'),
    ([{ content }]) => (content.kind === 'value' ? content.type : ''),
  );

  for (const [type, elements] of byType) {
    test(`an element of the type ${type}`, () => {
      const [[element, path]] = elements as [[ElementModel, readonly ElementModel[]]];
      assert.ok(takenOf((value) => documentWith(path, valued(element, value))) > 0);
    });
  }

  test('an attribute of each type', () => {
    const tried = new Set<string>();
    for (const [element, path] of paths) {
      if (element.content.kind !== 'value') continue;
      for (const attribute of element.content.attributes) {
        if (tried.has(`${attribute.type} ${attribute.isRequired}`)) continue;
        tried.add(`${attribute.type} ${attribute.isRequired}`);
        const value = { decimal: '1', base64Binary: 'AAAA' }[element.content.type as string] ?? 'a';
        assert.ok(takenOf((tried) => documentWith(path, valued(element, value, ` ${attribute.name}="${tried}"`))) > 0);
      }
    }
    assert.ok(tried.size >= 5);
  });

  test('an element without any of its attributes, with each, and with each twice', () => {
    for (const [element, path] of paths) {
      if (element.content.kind !== 'value') continue;
      const name = usualName(element.namespace, element.localName);
      const variants = element.content.attributes.flatMap((attribute) => [
        ` ${attribute.name}="a"`,
        ` ${attribute.name}="a" ${attribute.name}="a"`,
      ]);
      for (const attributes of ['', ...variants]) {
        const xml = documentWith(path, `<${name}${attributes}>1</${name}>`);
        if (xml !== null && isTaken(xml)) assert.ok(isValid(xml, 'Invoice'), xml);
      }
    }
  });

  /** How many of the values the scanner takes. */
  function takenOf(documentOf: (value: string) => string | null): number {
    let taken = 0;
    for (const value of VALUES_TO_TRY) {
      const xml = documentOf(value);
      if (xml === null || !isTaken(xml)) continue;
      taken += 1;
      assert.ok(isValid(xml, 'Invoice'), JSON.stringify(value));
    }
    return taken;
  }
});
