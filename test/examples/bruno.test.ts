import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { projectFile, sourceFiles } from '../consistency/source-files.ts';
import { type Answer, json, request } from '../contract/support/client.ts';
import { startTestService } from '../support/service.ts';

const FOLDER = 'examples/bruno';
const NUMBER = /bru\.setVar\("(\w+)"/u;
const BODY_TYPES: Readonly<Record<string, string>> = { xml: 'application/xml', none: '' };

const service = await startTestService();
after(() => service.stop());

/** What is between the braces of each block of a file of the collection. */
function blocksOf(text: string): ReadonlyMap<string, string> {
  const blocks = text.matchAll(/^([\w:-]+) \{\n(.*?)\n\}$/gmsu);
  return new Map(Array.from(blocks, ([, name = '', inside = '']) => [name, inside.replaceAll(/^ {2}/gmu, '')]));
}

function valuesOf(block: string | undefined): Record<string, string> {
  const rows = block?.matchAll(/^([^~:][^:]*): (.*)$/gmu) ?? [];
  return Object.fromEntries(Array.from(rows, ([, name = '', value = '']) => [name, value]));
}

/** Runs the calls of the collection as Bruno does, as far as the collection makes use of it. */
suite('the Bruno collection', () => {
  const variables: Record<string, string> = {
    ...valuesOf(blocksOf(projectFile(`${FOLDER}/environments/demo.bru`)).get('vars')),
    url: service.url,
  };
  const fill = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => variables[name] ?? assert.fail(name));
  const standard = valuesOf(blocksOf(projectFile(`${FOLDER}/collection.bru`)).get('headers'));
  const calls = sourceFiles([`${FOLDER}/integration`, `${FOLDER}/extensions`], '.bru')
    .map(({ path, text }) => ({ path, blocks: blocksOf(text) }))
    .filter(({ blocks }) => blocks.has('assert'))
    .toSorted((one, other) => placeOf(one.blocks) - placeOf(other.blocks));

  for (const { path, blocks } of calls) {
    test(`${path} gets the answer that it expects from the demo environment`, async () => {
      const number = NUMBER.exec(blocks.get('script:pre-request') ?? '')?.[1];
      if (number !== undefined) variables[number] = `BRU-${Date.now()}`;
      const answer = await makeCall(blocks);
      const [, operator, expected = ''] = /^res\.status: (in|lt) (.*)$/mu.exec(blocks.get('assert') ?? '') ?? [];
      const isExpected =
        operator === 'lt' ? answer.status < Number(expected) : expected.split(', ').includes(String(answer.status));
      assert.ok(isExpected, answer.text);
      for (const [name, expression] of Object.entries(valuesOf(blocks.get('vars:post-response')))) {
        variables[name] = String(valueAt(json(answer), expression));
      }
    });
  }

  test('has every call of both interface descriptions', () => {
    const described = ['openapi.json', 'openapi-extensions.json'].flatMap((path) =>
      Object.values(JSON.parse(projectFile(path)).paths as Record<string, object>).flatMap(Object.keys),
    );
    assert.equal(calls.length, described.length);
  });

  function makeCall(blocks: ReadonlyMap<string, string>): Promise<Answer> {
    const method = ['get', 'post'].find((name) => blocks.has(name)) ?? assert.fail('no method');
    const { url = '', body = '' } = valuesOf(blocks.get(method));
    const inPath = valuesOf(blocks.get('params:path'));
    const address = url.replaceAll(/:(\w+)(?=\/|$)/gu, (_, name: string) => inPath[name] ?? assert.fail(name));
    const headers = {
      ...standard,
      ...valuesOf(blocks.get('headers')),
      'Content-Type': BODY_TYPES[body] ?? assert.fail(body),
    };
    return request(fill(address), {
      method: method.toUpperCase(),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
      ...(body === 'none' ? {} : { body: fill(blocks.get(`body:${body}`) ?? '') }),
    });
  }
});

function placeOf(blocks: ReadonlyMap<string, string>): number {
  return Number(valuesOf(blocks.get('meta'))['seq']);
}

/** Members and places of `res.body`, the only expressions that the collection has. */
function valueAt(body: unknown, expression: string): unknown {
  const [res, name, ...way] = expression.split(/[.[\]]+/u).filter((part) => part !== '');
  assert.deepEqual([res, name], ['res', 'body']);
  return way.reduce((value, part) => (value as Record<string, unknown> | undefined)?.[part], body);
}
