import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFiles } from './source-files.ts';

/** It hears of the end of a body, and looks whether that has come. */
const LOOKS_ITSELF = ['src/http/requests/read-body.ts'];

test('whoever waits for the end of an answer or a connection hears of one that has ended, too', () => {
  const listening = sourceFiles(['src/http', 'src/console'], '.ts').filter(({ text }) =>
    /\.on(?:ce)?\('close'/u.test(text),
  );
  const others = listening.map(({ path }) => path).filter((path) => path !== 'src/http/connections/on-close.ts');
  assert.deepEqual(others, LOOKS_ITSELF);
});
