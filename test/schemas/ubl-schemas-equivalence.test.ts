import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { XmlDocument, XmlParseError, type XsdValidator } from 'libxml2-wasm';
import { generateSchemas } from '../../scripts/ubl-schemas/generate-schemas.ts';
import { readSchemaSet } from '../../scripts/ubl-schemas/read-schema-set.ts';
import { compileSchemas, compileUblSchemas } from '../../src/adapters/ubl/judging/compile-schemas.ts';
import { mainSchemaFiles, readSchemaFiles } from '../../src/adapters/ubl/judging/schema-files.ts';
import type { DocumentKind } from '../../src/domain/documents/invoice-facts.ts';
import { schemaFindings } from '../support/schema-findings.ts';
import { type Random, withRandom } from '../support/seeds.ts';
import { type Mutation, mutateUbl } from '../support/ubl-mutations.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const officialDirectory = join(repository, '../shared/ubl-2.1/xsd');
const corpusDirectory = join(repository, '../shared/corpus');
const skip =
  existsSync(officialDirectory) && existsSync(corpusDirectory)
    ? false
    : 'the official schemas and the corpus are not in ../shared';

const officialMainFiles = { Invoice: 'maindoc/UBL-Invoice-2.1.xsd', CreditNote: 'maindoc/UBL-CreditNote-2.1.xsd' };
const kinds: readonly DocumentKind[] = ['Invoice', 'CreditNote'];

type Schemas = Record<DocumentKind, XsdValidator>;
type Source = { readonly file: string; readonly kind: DocumentKind; readonly xml: string };

describe('the schemas of the product, compared with the official ones,', () => {
  test('are what the script generates now', { skip }, () => {
    const shipped = new Map(Object.entries(readSchemaFiles()).map(([file, bytes]) => [file, Buffer.from(bytes)]));
    const generated = generateSchemas(officialDirectory);
    const stale = [...generated].filter(([file, text]) => !shipped.get(file)?.equals(Buffer.from(text)));
    assert.deepEqual(
      stale.map(([file]) => file),
      [],
      'run scripts/compact-ubl-schemas.ts',
    );
    assert.deepEqual([...shipped.keys()].toSorted(), [...generated.keys()].toSorted());
  });

  test('state the same facts', { skip }, () => {
    const shipped = factsOf(join(repository, 'schemas'), mainSchemaFiles);
    const official = factsOf(officialDirectory, officialMainFiles);
    assert.ok(official.size > 2_000);
    assert.deepEqual([...shipped.symmetricDifference(official)], []);
  });

  test('have the same findings in every document of the corpus that can be parsed', { skip }, (t) => {
    const findings = compareFindings(compileOfficialSchemas(), compileUblSchemas());
    const outcomes = { valid: 0, invalid: 0, malformed: 0 };
    for (const { file, bytes } of readCorpus('positive', 'negative')) {
      using document = parse(bytes);
      for (const kind of kinds) {
        outcomes[document ? findings(kind, document, `${file} as ${kind}`) : 'malformed'] += 1;
      }
    }
    assertMeaningful(t, outcomes);
  });

  test('have the same findings in mutated documents', { skip }, async (t) => {
    const rounds = process.env['TEST_LONG'] === '1' ? 20_000 : 1_000;
    const sources = readUtf8Documents();
    const findings = compareFindings(compileOfficialSchemas(), compileUblSchemas());
    const outcomes = { valid: 0, invalid: 0, malformed: 0 };
    await withRandom((random) => {
      for (let round = 0; round < rounds; round += 1) {
        const { file, kind, xml } = sources[round % sources.length] ?? assert.fail('the corpus is empty');
        const mutation = mutateOnceOrTwice(random, xml);
        using document = parse(Buffer.from(mutation.xml));
        const description = `round ${round}, ${file}: ${mutation.description}`;
        outcomes[document ? findings(kind, document, description) : 'malformed'] += 1;
      }
    });
    assertMeaningful(t, outcomes);
  });
});

function compileOfficialSchemas(): Schemas {
  const names = readdirSync(officialDirectory, { recursive: true, encoding: 'utf8' });
  const schemaNames = names.filter((name) => name.endsWith('.xsd'));
  const files = Object.fromEntries(schemaNames.map((name) => [name, readFileSync(join(officialDirectory, name))]));
  return compileSchemas(files, officialMainFiles);
}

/** One line a global component or import. */
function factsOf(directory: string, mainFiles: Readonly<Record<DocumentKind, string>>): Set<string> {
  const namespaces = readSchemaSet(kinds.map((kind) => join(directory, mainFiles[kind])));
  return new Set(
    namespaces.flatMap(({ namespace, imports, components }) =>
      [...imports, ...components].map((fact) => `${namespace}: ${JSON.stringify(fact)}`),
    ),
  );
}

function compareFindings(official: Schemas, ours: Schemas) {
  return (kind: DocumentKind, document: XmlDocument, description: string): 'valid' | 'invalid' => {
    const expected = schemaFindings(official[kind], document);
    assert.deepEqual(schemaFindings(ours[kind], document), expected, description);
    return expected.length === 0 ? 'valid' : 'invalid';
  };
}

function assertMeaningful(t: TestContext, outcomes: { valid: number; invalid: number; malformed: number }): void {
  t.diagnostic(JSON.stringify(outcomes));
  const total = outcomes.valid + outcomes.invalid + outcomes.malformed;
  assert.ok(outcomes.valid > total / 10 && outcomes.invalid > total / 10, 'nearly all documents have the same check');
}

function mutateOnceOrTwice(random: Random, xml: string): Mutation {
  const first = mutateUbl(random, xml);
  if (random() < 0.8) return first;
  const second = mutateUbl(random, first.xml);
  return { xml: second.xml, description: `${first.description}, then ${second.description}` };
}

function readCorpus(...folders: readonly string[]): { file: string; bytes: Buffer }[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(corpusDirectory, folder)).map((name) => join(folder, name)),
  );
  return files.toSorted().map((file) => ({ file, bytes: readFileSync(join(corpusDirectory, file)) }));
}

function readUtf8Documents(): Source[] {
  return readCorpus('positive').flatMap(({ file, bytes }) => {
    using document = XmlDocument.fromBuffer(bytes);
    const kind = kinds.find((name) => name === document.root.name);
    const encoding = document.encoding ?? 'UTF-8';
    return kind && encoding.toUpperCase() === 'UTF-8' ? [{ file, kind, xml: new TextDecoder().decode(bytes) }] : [];
  });
}

function parse(bytes: Uint8Array): XmlDocument | undefined {
  try {
    return XmlDocument.fromBuffer(bytes);
  } catch (error) {
    if (error instanceof XmlParseError) return undefined;
    throw error;
  }
}
