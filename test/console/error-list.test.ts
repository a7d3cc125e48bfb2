import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorList } from '../../src/console/pages/system/error-list.ts';
import type { ConsoleView } from '../../src/console/pages/view.ts';

const view = { words: (key: string) => key, time: (at: number) => `at ${at}` } as unknown as ConsoleView;
const shown = (...lines: readonly string[]) => String(errorList(view, lines));

test('a line of the log is shown as when, how bad, what, and its facts; of an error the message', () => {
  const line = {
    level: 'error',
    time: '1970-01-01T00:00:01.000Z',
    err: { message: 'no room', stack: 'at x' },
    docUid: 'd',
    msg: 'not stored',
  };
  const text = shown(JSON.stringify(line));
  assert.match(text, /log-error<\/span> <span class="quiet small">at 1000<\/span><br>not stored/u);
  assert.match(text, /err: no room, docUid: d/u);
  assert.doesNotMatch(text, /stack|at x/u);
  assert.match(shown(JSON.stringify({ ...line, level: 'warn' })), /log-warning/u);
});

test('texts in it are escaped, one that was cut is shown as it is, and without any it says so', () => {
  const text = shown(
    JSON.stringify({ level: 'warn', time: '<b>', msg: '<i>', fact: '<u>' }),
    '{"level":"warn","msg":"<s>',
  );
  assert.doesNotMatch(text, /<[bius]>/u);
  assert.match(text, /<code>\{&quot;level/u);
  assert.match(shown(), /no-errors/u);
});
