import { setTimeout as pause } from 'node:timers/promises';
import { percentilesOf } from '../report/percentiles.ts';
import type { Answer } from './connection.ts';
import type { ClosedLoop, LoadResult, OpenLoop, Plan } from './plan.ts';
import { type Client, createRequests } from './requests.ts';

/** Below what the service allows one address; who comes later waits for one of them, and that is counted. */
const MOST_CLIENTS = 100;
const SECOND_MS = 1_000;

export async function closedLoop(plan: Plan, { connections, ms, atLeast, atMost }: ClosedLoop): Promise<LoadResult> {
  const requests = createRequests(plan);
  const tally = createTally(plan);
  const began = performance.now();
  let begun = 0;
  async function run(): Promise<void> {
    const client: Client = { connection: null };
    while (begun < atMost && (begun < atLeast || performance.now() < began + ms)) {
      const index = begun;
      begun += 1;
      const started = performance.now();
      tally.add(await requests.send(client, index), performance.now() - started);
    }
    client.connection?.close();
  }
  await Promise.all(Array.from({ length: connections }, run));
  return tally.result(performance.now() - began);
}

/**
 * Latencies count from the moment a request was due, not from the moment it was sent: a server that stands still keeps all
 * waiting that would have come meanwhile.
 */
export async function openLoop(plan: Plan, { perSecond, ms }: OpenLoop): Promise<LoadResult> {
  const requests = createRequests(plan);
  const tally = createTally(plan);
  const total = Math.max(1, Math.round((perSecond * ms) / SECOND_MS));
  const idle: Client[] = [];
  const all: Client[] = [];
  const waiting: number[] = [];
  const running: Promise<void>[] = [];
  const began = performance.now();
  const dueAt = (index: number) => began + (index * SECOND_MS) / perSecond;

  async function run(client: Client, first: number): Promise<void> {
    for (let index: number | undefined = first; index !== undefined; index = waiting.shift()) {
      tally.add(await requests.send(client, index), performance.now() - dueAt(index));
    }
    idle.push(client);
  }

  function begin(index: number): void {
    const client = idle.pop() ?? (all.length < MOST_CLIENTS ? newClient() : null);
    if (client === null) waiting.push(index);
    else running.push(run(client, index));
  }

  function newClient(): Client {
    const client: Client = { connection: null };
    all.push(client);
    return client;
  }

  for (let index = 0; index < total; index += 1) {
    const waitMs = dueAt(index) - performance.now();
    if (waitMs > 0) await pause(waitMs);
    begin(index);
  }
  await Promise.all(running);
  for (const { connection } of all) connection?.close();
  return tally.result(performance.now() - began);
}

function createTally({ expected }: Plan) {
  const durations: number[] = [];
  const others: Record<string, number> = {};
  let answerBytes = 0;
  return {
    add({ status, bytes }: Answer, ms: number): void {
      if (expected.includes(status)) {
        durations.push(ms);
        answerBytes = bytes;
      } else others[status] = (others[status] ?? 0) + 1;
    },
    result(elapsedMs: number): LoadResult {
      if (durations.length === 0) throw new Error(`No answer was as expected: ${JSON.stringify(others)}`);
      const perSecond = (durations.length * SECOND_MS) / elapsedMs;
      return { ...percentilesOf(durations), answered: durations.length, perSecond, others, answerBytes };
    },
  };
}
