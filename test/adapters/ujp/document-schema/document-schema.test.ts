import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PAYLOAD_MEMBERS } from '../../../../src/adapters/ujp/document-schema/document-fields.ts';
import { documentSchema, documentSchemas } from '../../../../src/adapters/ujp/document-schema/document-schema.ts';
import { fieldsBelow } from '../../../../src/adapters/ujp/document-schema/field.ts';
import { voidPayload } from '../../../../src/adapters/ujp/voiding/void-payload.ts';
import { DOCUMENT_TEXTS } from '../../../../src/domain/messages/document-texts.ts';
import { LANGUAGES } from '../../../../src/domain/messages/languages.ts';
import { toHex } from '../../../../src/domain/values/hex.ts';
import { PUBLISHED_EXAMPLES, publishedExample } from '../../../simulator/published-examples.ts';
import { sampleDocument } from '../../../simulator/sample-document.ts';
import { withRandom } from '../../../support/seeds.ts';
import { converted, invoice, reference } from '../conversion/sample-content.ts';
import { checkBySchema, fitsSchema } from './check-by-schema.ts';

const COUNT = process.env['TEST_LONG'] === '1' ? 10_000 : 150;
const EUID = '0199f2a0-7b1c-7def-8123-456789abcdef';

type Json = { [name: string]: unknown };

const FIELDS = fieldsBelow(PAYLOAD_MEMBERS);

const CORRECTION = converted(
  invoice({
    typeCode: { value: '384', name: null },
    references: [
      reference('billing', '2026-1', { uuid: EUID }),
      reference('additional', 'C01', { id: { value: 'C01', scheme: 'UJP:correctionReason' } }),
    ],
  }),
).payload;
const REPLACED = { docTypeRef: 'ST', docNameRef: 'Сторно/Корекција', docDateRef: '2026-11-02', docNumberRef: EUID };
const VOID = voidPayload(CORRECTION, {
  docId: 'v',
  docNumber: '1-ST',
  reference: REPLACED,
  voidReason: { voidCode: 'S-1', voidReason: 'Грешка', voidComment: null },
});

/** A copy in which the value at a path of the schema is another; undefined takes it away. */
function changed(payload: object, path: string, value: unknown): Json {
  const copy = structuredClone(payload) as Json;
  const steps = path.replaceAll('[]', '.0').split('.');
  const last = steps.pop() ?? '';
  const holder = steps.reduce<Json>((at, step) => at[step] as Json, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

/** As it is where an earlier change took away what this one is in. */
function changedIfThere(payload: object, path: string, value: unknown): object {
  try {
    return changed(payload, path, value);
  } catch (error) {
    if (error instanceof TypeError) return payload;
    throw error;
  }
}

/** Every member is in one of these. */
const PAYLOADS = [CORRECTION, VOID].map((payload) => ({ requestTimestamp: '2026-11-15T10:00:00', ...payload }));
const holding = (path: string) => (path.startsWith('voidReason') ? PAYLOADS[1] : PAYLOADS[0]) ?? {};

describe("the JSON Schema of the authority's document", () => {
  test('takes what our conversion makes, corrections and voids among it', () => {
    for (const payload of [CORRECTION, VOID, ...PAYLOADS]) checkBySchema(payload);
  });

  test('takes the documents that the authority has published, and those of the simulator', () => {
    for (const name of Object.keys(PUBLISHED_EXAMPLES)) checkBySchema({ document: publishedExample(name) });
    checkBySchema({ document: sampleDocument() });
  });

  test('refuses a document without any one of the members that are required', () => {
    const required = FIELDS.filter(([, { isRequired }]) => isRequired);
    assert.ok(required.length > 50);
    for (const [path] of required) {
      for (const value of [undefined, null]) assert.equal(fitsSchema(changed(holding(path), path, value)), false, path);
    }
  });

  test('takes one without any of the others, and with null for them', () => {
    for (const [path] of FIELDS.filter(([, { isRequired }]) => !isRequired)) {
      for (const value of [undefined, null]) assert.ok(fitsSchema(changed(holding(path), path, value)), path);
    }
  });

  test('refuses a value of another type, wherever it stands', () => {
    for (const [path, { shape }] of FIELDS) {
      if (shape.kind === 'anything') continue;
      const others = [true, 7.5, 'text', {}, [], ['x'], '2026-02-30', ''];
      const right = {
        text: ['string'],
        date: [],
        number: ['number'],
        whole: [],
        object: [],
        list: [],
      }[shape.kind];
      for (const value of others.filter((one) => !right.some((type) => typeof one === type))) {
        const isEmptyList = shape.kind === 'list' && shape.mayBeEmpty && Array.isArray(value) && value.length === 0;
        const isOptionalObject = shape.kind === 'object' && !Array.isArray(value) && typeof value === 'object';
        if (isEmptyList || isOptionalObject) continue;
        assert.equal(fitsSchema(changed(holding(path), path, value)), false, `${path}: ${JSON.stringify(value)}`);
      }
    }
  });

  test('takes further members, which the authority may add', () => {
    assert.ok(fitsSchema({ ...CORRECTION, further: { of: [1] } }));
  });

  test('says the same as the reader of the program of documents that were changed at random', async () => {
    const values = [null, '', ' ', 0, -1, 1.5, 1e15, true, [], {}, 'x', '2026-11-31', '2026-11-15', '٠', [{}]];
    await withRandom((random) => {
      const one = <Value>(all: readonly Value[]) => all[Math.floor(random() * all.length)] as Value;
      for (let done = 0; done < COUNT; done += 1) {
        const start = PAYLOADS[done % PAYLOADS.length] ?? {};
        const paths = FIELDS.map(([path]) => path).filter((path) => holding(path) === start);
        const first = changedIfThere(start, one(paths), one(values));
        fitsSchema(random() < 0.5 ? first : changedIfThere(first, one(paths), one(values)));
      }
    });
  });
});

describe('the schema is described', () => {
  test('every member in every language, and nothing else', () => {
    const paths = new Set(FIELDS.map(([path]) => path.replace(/^document\./u, '').replaceAll('[]', '')));
    for (const language of LANGUAGES) {
      const keys = Object.keys(DOCUMENT_TEXTS[language]);
      assert.deepEqual(new Set(keys), new Set(['payload', ...paths]));
    }
    const texts = Object.values(DOCUMENT_TEXTS.mk);
    assert.deepEqual(
      texts.filter((text) => !/\p{Script=Cyrillic}/u.test(text)),
      [],
    );
  });

  test('in other words only: the languages have the same schema', () => {
    const bare = (schema: unknown) => JSON.stringify(schema, (name, value) => (name === 'description' ? '' : value));
    const [mk, en] = LANGUAGES.map((language) => bare({ ...documentSchema(language), $id: '' }));
    assert.equal(mk, en);
  });

  test('its bytes never change under one address, where they are kept for a year: a change is a new version', () => {
    const digests = [...documentSchemas()].map(([name, { sha256 }]) => [name, toHex(sha256).slice(0, 16)]);
    assert.deepEqual(Object.fromEntries(digests), {
      'ujp-document-v1.mk.json': '208c8f5b95328749',
      'ujp-document-v1.en.json': 'c31a1be9ff3ab3f0',
    });
  });
});
