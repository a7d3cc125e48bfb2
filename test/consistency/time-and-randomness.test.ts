import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { directUses } from './direct-uses.ts';
import { sourceFiles } from './source-files.ts';

test('time and randomness come through ports: one seed replays a whole history', () => {
  const files = sourceFiles(['src'], '.ts');
  assert.ok(files.length >= 300, `${files.length} files`);
  assert.deepEqual(directUses(files), []);
});

describe('a use that comes through no port is noticed:', () => {
  const uses = [
    'setTimeout(run, 1);',
    'const start = setTimeout;',
    'globalThis.setTimeout(run, 1);',
    'global.setTimeout(run, 1);',
    'const timer = setInterval(run, 1);',
    'clearInterval(timer);',
    'setImmediate(resolve);',
    'const now = performance.now();',
    'const now = Date.now();',
    'const { now } = Date;',
    'const now = new Date();',
    'const now = new Date( );',
    'const now = +new Date;',
    'const now = Date();',
    'const now = new Intl.DateTimeFormat().format();',
    'const now = process.hrtime.bigint();',
    'const now = process.uptime();',
    'const fraction = Math.random();',
    'const id = crypto.randomUUID();',
    'const signal = AbortSignal.timeout(1_000);',
    "import { randomUUID } from 'node:crypto';",
    "import { createHash, randomBytes } from 'node:crypto';",
    "import { randomInt as draw } from 'node:crypto';",
    "import * as random from 'node:crypto';\nrandom.randomFillSync(bytes);",
    "import { setTimeout as pause } from 'node:timers/promises';",
    "import timers from 'node:timers';",
    "const { performance: clock } = await import('node:perf_hooks');",
    "import { systemTimers } from '../platform/timers.ts';",
    "import { systemClock } from '../platform/platform.ts';",
    "import { systemPlatform } from '../../app/system-platform.ts';",
  ];
  for (const text of uses) {
    test(text.replaceAll('\n', ' '), () =>
      assert.notDeepEqual(directUses([{ path: 'src/adapters/limits/pace.ts', text }]), []),
    );
  }

  test('also in the other files of the platform and in threads', () => {
    for (const path of ['src/adapters/platform/audit-buffer.ts', 'src/adapters/ubl/reading-thread.ts'])
      assert.equal(directUses([{ path, text: 'setTimeout(run, 1);' }]).length, 1, path);
  });
});

describe('what only looks like one is left alone:', () => {
  const allowed: readonly (readonly [path: string, text: string])[] = [
    ['src/http/server.ts', 'socket.setTimeout(0);'],
    ['src/http/server.ts', 'const at = new Date(clock.now()).toISOString();'],
    ['src/http/server.ts', 'const at = new Date(0);'],
    ['src/http/server.ts', '// A setTimeout would keep the process.\n/** Not Date.now(): it may step back. */'],
    ['src/http/server.ts', "import { createHash } from 'node:crypto';"],
    ['src/http/server.ts', 'const largest = Math.max(...sizes);'],
    ['src/app/system-platform.ts', "import { systemTimers } from '../adapters/platform/timers.ts';"],
    ['src/adapters/ubl/reading-thread.ts', "import { systemTimers } from '../platform/timers.ts';"],
    ['src/adapters/platform/timers.ts', 'setTimeout(run, ms);'],
  ];
  for (const [path, text] of allowed) {
    test(`${path}: ${text.replaceAll('\n', ' ')}`, () => assert.deepEqual(directUses([{ path, text }]), []));
  }
});

/** Days of 23 and 25 hours: a day that is counted in milliseconds from another is the wrong one twice a year. */
const COUNTED_IN_MS = /\bskopjeDay\((?:[^()]|\([^()]*\))*(?:DAYS?\b|DAY_MS|86_400_000|\b24 ?\*)/u;

test('days of the calendar are counted on the calendar', () => {
  const files = sourceFiles(['src', 'simulator'], '.ts');
  assert.deepEqual(
    files.filter(({ text }) => COUNTED_IN_MS.test(text)).map(({ path }) => path),
    [],
  );
  for (const text of [
    'skopjeDay(now - DAY_MS)',
    'skopjeDay(clock.now() + 2 * DAY_MS)',
    'skopjeDay(at - KEPT_DAYS * MS)',
  ])
    assert.match(text, COUNTED_IN_MS);
});
