import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from '../../src/adapters/limits/pace.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { RequestKind, RequestLine } from '../../src/domain/accounts/request-line.ts';
import { onEveryEngine } from '../support/engines.ts';
import { until } from '../support/process.ts';
import { clockAt } from '../support/test-clock.ts';
import { newEdb, newTenant } from './samples.ts';

const INTERVAL_MS = 20;

onEveryEngine('the line of a user', (database) => {
  test('is one for all processes: a send of one goes before the polling of another, and what is owed a turn has it', async () => {
    const stopping = new AbortController();
    const clock = clockAt();
    const storages = [database().storage, (await database().openAgain()).storage];
    const [polling, sending] = storages.map((storage) =>
      createPace({
        timers: systemTimers,
        storage,
        clock,
        intervalMs: INTERVAL_MS,
        stopping: stopping.signal,
        cutOff: stopping.signal,
      }),
    );
    assert.ok(polling !== undefined && sending !== undefined);
    const eujpId = newEdb();
    const order: RequestKind[] = [];
    const waiting: Promise<void>[] = [];
    const ask = (pace: typeof polling, kind: RequestKind) => {
      const turn = pace[kind].turn(newTenant({ eujpId })).then((leave) => {
        leave();
        order.push(kind);
      });
      waiting.push(turn.catch(() => undefined));
    };
    /** A process that has not said so for three intervals counts as dead, and what it is owed goes to others. */
    const saysNow = async (kind: RequestKind) => {
      const row = await database().engine.get<{ waiting: string }>('select waiting from pace where eujp_id = $1', [
        eujpId,
      ]);
      const { waiting } = JSON.parse(row?.waiting ?? '{"waiting":{}}') as Pick<RequestLine, 'waiting'>;
      return (waiting[kind]?.until ?? 0) > clock.now() + 2 * INTERVAL_MS;
    };
    for (let count = 0; count < 5; count += 1) ask(polling, 'collect');
    await until('the first turn', () => order.length === 1);
    for (let count = 0; count < 30; count += 1) ask(sending, 'send');
    for (let turns = 2; turns <= 29; turns += 1) {
      await until('both say that they wait', async () => (await saysNow('collect')) && saysNow('send'));
      clock.advance(INTERVAL_MS);
      await until(`turn ${turns}`, () => order.length === turns);
    }
    const sends = (count: number) => Array.from({ length: count }, () => 'send' as const);
    assert.deepEqual(order, ['collect', ...sends(12), 'collect', ...sends(12), 'collect', ...sends(2)]);
    stopping.abort();
    await Promise.all(waiting);
  });
});
