import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { watchDurability } from '../../src/app/durability-watch.ts';
import type { Foundation } from '../../src/app/foundation.ts';

/** A database with these settings at one look after the other; null where it does not answer. */
function watchOf(environment: Foundation['config']['environment'], looks: (readonly string[] | null)[]) {
  const lines: string[] = [];
  let tick = () => undefined as unknown;
  const foundation = {
    config: { environment },
    engine: {
      async unsafeSettings() {
        const settings = looks.shift() ?? null;
        if (settings === null) throw new Error('no answer');
        return settings;
      },
    },
    timers: {
      every(_ms: number, work: () => unknown) {
        tick = work;
        return { cancel: () => undefined };
      },
    },
  } as unknown as Foundation;
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const watch = watchDurability(foundation, log);
  async function seen() {
    // The look that is under way ends first.
    await new Promise((resolve) => setImmediate(resolve));
    const said = lines.splice(0).map((line) => JSON.parse(line).level as number);
    return { settings: watch.unsafeSettings(), said };
  }
  return { seen, next: () => tick() };
}

const [WARN, ERROR] = [40, 50];

test('unsafe settings are an error in the log when they are new, and known until a look shows that they are gone', async () => {
  const both = ['fsync', 'full_page_writes'];
  const { seen, next } = watchOf('production', [[], both, both, null, ['fsync'], []]);
  const history: unknown[] = [await seen()];
  for (let count = 1; count < 6; count += 1) {
    next();
    history.push(await seen());
  }
  assert.deepEqual(history, [
    { settings: [], said: [] },
    { settings: both, said: [ERROR] },
    { settings: both, said: [] },
    { settings: both, said: [] },
    { settings: ['fsync'], said: [ERROR] },
    { settings: [], said: [WARN] },
  ]);
});

test('the demo does not look', async () => {
  const { seen } = watchOf('demo', [['fsync']]);
  assert.deepEqual(await seen(), { settings: [], said: [] });
});
