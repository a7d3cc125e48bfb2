import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { generatedDocs } from '../../scripts/generated-docs.ts';
import { projectFile, sourceFiles } from './source-files.ts';

let docs: Readonly<Record<string, string>> = {};
before(async () => {
  docs = await generatedDocs();
});

const PATHS = [
  'client/src/generated/answers.ts',
  'client/src/generated/calls.ts',
  'deploy/example.env',
  'docs/authority-document.md',
  'docs/errors.md',
  'docs/guides/conversion.md',
  'docs/operating.md',
  'openapi-extensions.json',
  'openapi.json',
  ...['.bru', '.json'].flatMap((ending) => sourceFiles(['examples/bruno'], ending)).map(({ path }) => path),
];

for (const path of PATHS) {
  test(`${path} is what the code makes of it; after a change of the code run "npm run docs"`, () => {
    assert.ok(projectFile(path) === docs[path], `${path} differs from what "npm run docs" would write`);
  });
}

test('these are all the generated documents', () => {
  assert.deepEqual(Object.keys(docs).toSorted(), PATHS.toSorted());
});

test('the interface description is OpenAPI 3.1 of release 1.0.0 with the twelve endpoints', () => {
  const { openapi, info, paths } = JSON.parse(projectFile('openapi.json'));
  assert.deepEqual([openapi.slice(0, 4), info.version], ['3.1.', '1.0.0']);
  const endpoints = Object.entries(paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace('/api/integration/v1', '')}`),
  );
  assert.deepEqual(endpoints.toSorted(), [
    'GET /codelists/{type}',
    'GET /inbound',
    'GET /inbound/{docUid}',
    'GET /inbound/{docUid}/file',
    'GET /outbound',
    'GET /outbound/{docUid}',
    'GET /outbound/{docUid}/file',
    'GET /outbound/{docUid}/history',
    'GET /ping',
    'POST /inbound/{docUid}/ack',
    'POST /outbound',
    'POST /outbound/{docUid}/cancel',
  ]);
});
