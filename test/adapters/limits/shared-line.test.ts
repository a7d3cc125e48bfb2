import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace, MOST_WAIT_OF_DRY_RUNS_MS } from '../../../src/adapters/limits/pace.ts';
import type { Timers } from '../../../src/application/ports/platform.ts';
import type { PaceStore } from '../../../src/application/ports/storage/pace-store.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import {
  askForTurn,
  EMPTY_LINE,
  MOST_PASSED_OVER,
  type RequestKind,
} from '../../../src/domain/accounts/request-line.ts';
import { newTenant } from '../../engines/samples.ts';
import { chanceOf } from '../../simulation/world/chance.ts';
import { createVirtualTime, type VirtualTime } from '../../simulation/world/virtual-time.ts';

const INTERVAL_MS = 1_050;
const SECOND_MS = 1_000;
/** Of one document that needs three look-ups. */
const REQUESTS_OF_A_DOCUMENT = 4;
/** A tenant's collection is a list and a file. */
const REQUESTS_OF_A_TASK = 2;
/** As an account check makes. */
const REQUESTS_OF_A_CHECK = 6;
/** The first one of a new service: eight code lists, the allowed indicators, seller and buyer. */
const REQUESTS_OF_A_DRY_RUN = 11;
const PROCESSES = 2;
/** As many as the delivery of one user has under way. */
const UNDER_WAY = 2;
const ACCOUNTANT = newTenant({ eujpId: 'accountant' });
const POLLING = ['container', 'collect', 'follow', 'lists'] as const;

function virtualTimers(time: VirtualTime): Timers {
  const after: Timers['after'] = (ms, run) => time.after(ms, run);
  return {
    elapsedMs: time.now,
    after,
    every: () => assert.fail('nothing here repeats'),
    pause: (ms) => new Promise((resolve) => void after(ms, resolve)),
    nextTurn: async () => undefined,
  };
}

/** The row of the user, which all processes share. */
function sharedRow(): Pick<Storage, 'transaction'> {
  let line = EMPTY_LINE;
  const pace: PaceStore = {
    async ask(_environment, _user, requests, now, intervalMs) {
      const asked = askForTurn(line, requests, now, intervalMs);
      line = asked.line;
      return asked.answer;
    },
    async postpone(_environment, _user, freeAt) {
      line = { ...line, freeAt: Math.max(line.freeAt, freeAt) };
    },
  };
  return { transaction: (work) => work({ pace } as unknown as Storage) };
}

/** Two processes of one user, in which everything that is done at intervals for thirty tenants is due all the time. */
function busyLine(polling: readonly RequestKind[] = POLLING) {
  const time = createVirtualTime(0, chanceOf('a shared line'));
  const storage = sharedRow();
  const turns: { readonly kind: RequestKind; readonly at: number }[] = [];
  const paces = Array.from({ length: PROCESSES }, () =>
    createPace({
      storage,
      timers: virtualTimers(time),
      clock: { now: time.now },
      intervalMs: INTERVAL_MS,
      stopping: new AbortController().signal,
      cutOff: new AbortController().signal,
    }),
  );
  async function request(process: number, kind: RequestKind): Promise<void> {
    const leave = await paces[process]?.[kind].turn(ACCOUNTANT);
    turns.push({ kind, at: time.now() });
    leave?.();
  }
  async function poll(process: number, kind: RequestKind): Promise<void> {
    for (;;) for (let left = REQUESTS_OF_A_TASK; left > 0; left -= 1) await request(process, kind);
  }
  async function deliver(process: number): Promise<number> {
    for (let left = REQUESTS_OF_A_DOCUMENT; left > 0; left -= 1) await request(process, 'send');
    return time.now();
  }
  for (let process = 0; process < PROCESSES; process += 1) for (const kind of polling) void poll(process, kind);
  return { time, turns, request, deliver };
}

test('a document of one of thirty tenants passes all their polling: its four requests take some seven turns', async () => {
  const { time, deliver } = busyLine();
  await time.runUntil(300 * SECOND_MS);
  const began = time.now();
  let sentAt = 0;
  void deliver(0).then((at) => {
    sentAt = at;
  });
  await time.runUntil(began + 60 * SECOND_MS);
  // The turn before it, its own, and what is owed one after every second send.
  const mostTurns = 1 + REQUESTS_OF_A_DOCUMENT + REQUESTS_OF_A_DOCUMENT / 2;
  assert.ok(sentAt > 0 && sentAt - began <= mostTurns * INTERVAL_MS, `${sentAt - began} ms`);
});

test('of a backlog of thirty tenants the first document leaves as soon, and polling goes on beside all of it', async () => {
  const { time, turns, deliver } = busyLine();
  await time.runUntil(300 * SECOND_MS);
  const began = time.now();
  const sent: number[] = [];
  async function work(process: number): Promise<void> {
    for (;;) sent.push((await deliver(process)) - began);
  }
  for (let place = 0; place < UNDER_WAY; place += 1) void work(place % PROCESSES);
  const hourMs = 3_600 * SECOND_MS;
  await time.runUntil(began + hourMs);
  const [first = Number.POSITIVE_INFINITY] = sent;
  assert.ok(first <= 13 * INTERVAL_MS, `first after ${first} ms`);
  const during = turns.filter(({ at }) => at >= began);
  const sends = during.filter(({ kind }) => kind === 'send').length;
  assert.ok(sends / during.length >= 0.65, `${sends} of ${during.length} turns`);
  for (const kind of POLLING) {
    const times = [began, ...during.filter((turn) => turn.kind === kind).map(({ at }) => at), began + hourMs];
    const longest = Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? 0)));
    // Others that are owed a turn may come first.
    const mostMs = (MOST_PASSED_OVER[kind] + 1 + 3 * POLLING.length) * INTERVAL_MS;
    assert.ok(longest <= mostMs, `${kind}: ${longest} ms without a turn, at most ${mostMs}`);
  }
});

test('an account check beside a backlog and its containers is done within half a minute, and sends keep two thirds of the line', async () => {
  const { time, turns, request, deliver } = busyLine(['container']);
  async function work(process: number): Promise<void> {
    for (;;) await deliver(process);
  }
  for (let place = 0; place < UNDER_WAY; place += 1) void work(place % PROCESSES);
  await time.runUntil(300 * SECOND_MS);
  const began = time.now();
  let doneAt = Number.POSITIVE_INFINITY;
  async function check(): Promise<void> {
    for (let left = REQUESTS_OF_A_CHECK; left > 0; left -= 1) await request(1, 'check');
    doneAt = time.now();
  }
  void check();
  await time.runUntil(began + 600 * SECOND_MS);
  assert.ok(doneAt - began <= 30 * SECOND_MS, `${doneAt - began} ms`);
  const during = turns.filter(({ at }) => at >= began && at <= doneAt);
  const sends = during.filter(({ kind }) => kind === 'send').length;
  assert.ok(sends / during.length >= 0.6, `${sends} of ${during.length} turns`);
});

test('every request of an account check has its turn in time, whatever else waits without a pause', async () => {
  const { time, request, deliver } = busyLine();
  async function work(process: number): Promise<void> {
    for (;;) await deliver(process);
  }
  async function rehearse(process: number): Promise<void> {
    for (;;) await request(process, 'dry-run').catch(() => undefined);
  }
  const outcomes: string[] = [];
  async function check(): Promise<void> {
    for (;;)
      await request(1, 'check').then(
        () => outcomes.push('asked'),
        ({ name }: Error) => outcomes.push(name),
      );
  }
  for (let process = 0; process < PROCESSES; process += 1) {
    void work(process);
    void rehearse(process);
  }
  void check();
  await time.runUntil(3_600 * SECOND_MS);
  assert.deepEqual([...new Set(outcomes)], ['asked']);
});

test('a dry run that has to look everything up passes all polling, which goes on beside one dry run after the other', async () => {
  const { time, turns, request } = busyLine();
  await time.runUntil(300 * SECOND_MS);
  const began = time.now();
  const took: number[] = [];
  async function rehearse(): Promise<void> {
    for (let beganAt = began; ; beganAt = time.now()) {
      for (let left = REQUESTS_OF_A_DRY_RUN; left > 0; left -= 1) await request(0, 'dry-run');
      took.push(time.now() - beganAt);
    }
  }
  void rehearse();
  const tenMinutesMs = 600 * SECOND_MS;
  await time.runUntil(began + tenMinutesMs);
  assert.ok((took[0] ?? Number.POSITIVE_INFINITY) <= MOST_WAIT_OF_DRY_RUNS_MS, `${took[0]} ms`);
  for (const kind of POLLING) {
    const during = turns.filter((turn) => turn.kind === kind && turn.at >= began).length;
    const least = Math.floor(tenMinutesMs / INTERVAL_MS / (MOST_PASSED_OVER[kind] + 1 + POLLING.length));
    assert.ok(during >= least, `${kind}: ${during} turns, at least ${least}`);
  }
});
