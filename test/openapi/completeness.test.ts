import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FAILURE_CATALOGUE } from '../../src/application/errors/failure-catalogue.ts';
import { ERROR_CODES } from '../../src/application/errors/problem-catalogue.ts';
import { OUTBOUND_STATUSES } from '../../src/domain/documents/outbound-status.ts';
import {
  committedDescription,
  DESCRIPTION_FILES,
  type Description,
  operationsOf,
  resolved,
  type Schema,
} from './descriptions.ts';

const LEAST_WORDS = 2;
/** They need no key. */
const OPEN_CALLS: ReadonlySet<string> = new Set(['readDocumentSchema']);

function isSaid(text: unknown): boolean {
  return typeof text === 'string' && text.trim().split(/\s+/u).length >= LEAST_WORDS;
}

/** The members of a schema, at any depth, that say nothing of themselves. */
function undescribed(schema: Schema, path: string): readonly string[] {
  const members = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  const inner = members.flatMap(([name, member]) => [
    ...(isSaid(member['description']) || '$ref' in member ? [] : [`${path}.${name}`]),
    ...undescribed(member, `${path}.${name}`),
  ]);
  const { items } = schema as { readonly items?: Schema };
  return items === undefined ? inner : [...inner, ...undescribed(items, `${path}[]`)];
}

function unsaidInOperations(description: Description): readonly string[] {
  return operationsOf(description).flatMap((operation) => {
    const { operationId, parameters, requestBody, responses } = operation;
    return [
      ...(isSaid(operation.summary) && isSaid(operation.description) ? [] : [operationId]),
      ...parameters.filter(({ description: text }) => !isSaid(text)).map(({ name }) => `${operationId} ${name}`),
      ...(requestBody === undefined || isSaid(requestBody.description) ? [] : [`${operationId} body`]),
      ...Object.entries(responses).flatMap(([status, { description: text, headers = {}, content = {} }]) => [
        ...(text === '' ? [`${operationId} ${status}`] : []),
        ...Object.entries(headers)
          .filter(([, header]) => !isSaid(resolved(description, header)['description']))
          .map(([name]) => `${operationId} ${status} ${name}`),
        ...Object.values(content).flatMap(({ schema }) => undescribed(schema, `${operationId} ${status}`)),
      ]),
    ];
  });
}

/** Files are not shown; every other answer that succeeds is, and every error that has a code. */
function withoutExample(description: Description): readonly string[] {
  return operationsOf(description).flatMap(({ operationId, requestBody, responses }) => [
    ...Object.entries(responses).flatMap(([status, { description: text, content = {} }]) =>
      Object.entries(content).flatMap(([type, { schema, examples = {} }]) => {
        if (schema['format'] === 'binary') return [];
        const wanted = Number(status) < 400 ? [`${operationId}-${status}`] : (text.match(/ERR-\d{4}/gu) ?? []);
        return wanted.filter((name) => !(name in examples)).map((name) => `${operationId} ${status} ${type}: ${name}`);
      }),
    ),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ examples }) =>
      examples === undefined ? [`${operationId} body`] : [],
    ),
  ]);
}

for (const file of DESCRIPTION_FILES) {
  const description = committedDescription(file);
  suite(file, () => {
    test('describes every operation, parameter, header and member', () => {
      assert.deepEqual(unsaidInOperations(description), []);
      const { schemas = {} } = description.components;
      assert.deepEqual(
        Object.entries(schemas).flatMap(([name, schema]) => [
          ...(isSaid(schema['description']) ? [] : [name]),
          ...undescribed(schema, name),
        ]),
        [],
      );
    });

    test('describes its tags, and each operation has one of them', () => {
      const tags = new Set(description.tags.filter((tag) => isSaid(tag.description)).map(({ name }) => name));
      assert.deepEqual(
        operationsOf(description).flatMap((operation) => operation.tags.filter((tag) => !tags.has(tag))),
        [],
      );
    });

    test('has an example of every JSON answer and body; how to add one stands in test/openapi/README.md', () => {
      assert.deepEqual(withoutExample(description), []);
    });

    test('names the statuses that every call can answer with', () => {
      const everywhere = ['400', '405', '408', '413', '417', '431', '500', '503'];
      const ofKeys = ['401', '403', '429'];
      for (const { operationId, responses, security } of operationsOf(description)) {
        const isOpen = security?.length === 0;
        assert.equal(isOpen, OPEN_CALLS.has(operationId), operationId);
        assert.deepEqual(
          [...everywhere, ...(isOpen ? [] : ofKeys)].filter((status) => !(status in responses)),
          [],
          operationId,
        );
        assert.deepEqual(isOpen ? ofKeys.filter((status) => status in responses) : [], [], operationId);
      }
    });

    test('names the header that asks for a language on every call, and the one that tells it on every problem', () => {
      for (const { operationId, parameters, responses } of operationsOf(description)) {
        assert.ok(
          parameters.some(({ name }) => name === 'Accept-Language'),
          operationId,
        );
        const silent = Object.entries(responses).filter(
          ([status, { headers = {} }]) => Number(status) >= 400 && !('Content-Language' in headers),
        );
        assert.deepEqual(silent, [], operationId);
      }
    });
  });
}

test('a schema whose members say nothing would be found', () => {
  const deep = {
    properties: { list: { description: 'A list.', items: { properties: { code: { type: 'string' } } } } },
  };
  assert.deepEqual(undescribed(deep, 'Answer'), ['Answer.list[].code']);
});

test('statuses and codes are open for further values: no enum, but the values of today beside a plain type', () => {
  const { OutboundDocument, Problem } = committedDescription('openapi.json').components['schemas'] ?? {};
  const member = (schema: Schema | undefined, name: string) =>
    ((schema?.['properties'] ?? {}) as Record<string, Schema>)[name] ?? {};
  const known: readonly (readonly [Schema, unknown, readonly unknown[]])[] = [
    [member(OutboundDocument, 'status'), 'integer', OUTBOUND_STATUSES],
    [
      member(OutboundDocument, 'failureCode'),
      ['string', 'null'],
      Object.keys(FAILURE_CATALOGUE).filter((code) => !code.includes('<')),
    ],
    [member(Problem, 'code'), ['string', 'null'], ERROR_CODES],
  ];
  for (const [schema, type, values] of known) {
    assert.deepEqual([schema['type'], schema['x-extensible-enum'], schema['enum']], [type, values, undefined]);
    assert.match(String(schema['description']), /Further values may be added/u);
  }
});
