import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectFile } from '../consistency/source-files.ts';
import { captureExamples } from './capture-examples.ts';

test('the examples are what the demo environment answers; after a change of answers run "npm run examples" and "npm run docs"', async () => {
  assert.deepEqual(JSON.parse(projectFile('src/http/openapi/examples.json')), await captureExamples());
});
