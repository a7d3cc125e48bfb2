import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../../simulator/simulator.ts';
import { registrations } from '../delivery/authority-of-test.ts';
import { until } from '../support/process.ts';
import { as } from '../support/service.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const CLIENTS = 4;
/** Between two submissions of a client: as much load as the delivery of one taxpayer can follow. */
const REST_MS = 300;
const BEFORE_RETRY_MS = 50;
/** Every so manieth answered submission is repeated elsewhere. */
const REPEATED = 3;
const LARGEST_PAGE = 500;
/** Whoever is told of trouble after so long has waited for a process that the machine does not let go on, and holds a lock. */
const LATE_MS = 4_000;

export type Load = {
  /** The docUid that each number, which is its idempotency key too, was answered with. */
  readonly answered: ReadonlyMap<string, string>;
  /** What was answered instead, within seconds, and expected of a service in trouble. */
  readonly problems: readonly string[];
  readonly brokenConnections: () => number;
  /** Whatever should not have been seen. */
  readonly surprises: readonly string[];
  /** Ends when the last submission is answered. */
  readonly stop: () => Promise<void>;
};

/** Clients that submit without end, each document until it is answered, by whichever replica does. */
export function startLoad(apis: readonly string[], key: string): Load {
  const answered = new Map<string, string>();
  const problems: string[] = [];
  const surprises: string[] = [];
  let begun = 0;
  let broken = 0;
  let isOver = false;

  async function submit(api: string, number: string): Promise<boolean> {
    const since = performance.now();
    const answer = await send(api, key, number).catch(() => null);
    if (answer === null) {
      broken += 1;
      return false;
    }
    if (answer.docUid === null) {
      const isLate = performance.now() - since > LATE_MS;
      if (!answer.isTrouble) surprises.push(answer.told);
      else if (!isLate) problems.push(answer.told);
      return false;
    }
    const first = answered.get(number) ?? answer.docUid;
    if (first !== answer.docUid) surprises.push(`${number} is ${first} and ${answer.docUid}`);
    answered.set(number, first);
    return true;
  }

  async function client(): Promise<void> {
    while (!isOver) {
      begun += 1;
      const number = `N-${begun}`;
      const times = begun % REPEATED === 0 ? 2 : 1;
      for (let turn = begun, done = 0; done < times; turn += 1) {
        if (await submit(apis[turn % apis.length] ?? '', number)) done += 1;
        else await pause(BEFORE_RETRY_MS);
      }
      await pause(REST_MS);
    }
  }

  const clients = Array.from({ length: CLIENTS }, client);
  return {
    answered,
    problems,
    surprises,
    brokenConnections: () => broken,
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

/** Waits until so many more submissions are answered. */
export async function moreAnswers({ answered }: Load, more: number): Promise<void> {
  const before = answered.size;
  await until(`${more} more answers`, () => answered.size >= before + more);
}

async function send(api: string, key: string, number: string) {
  const headers = as(key, { 'X-Idempotency-Key': number });
  const body = INVOICE.replace('2026-7001', number);
  const answer = await fetch(`${api}/outbound`, { method: 'POST', headers, body });
  const text = await answer.text();
  const { docUid = null, code } = JSON.parse(text) as { docUid?: string; code?: string | null };
  const type = answer.headers.get('content-type')?.split(';')[0];
  const isUnavailable = answer.status === 503 && code === null && Number(answer.headers.get('retry-after')) > 0;
  const isTrouble = type === 'application/problem+json' && (isUnavailable || code === 'ERR-9000');
  const isTaken = answer.status === 201 || answer.status === 200;
  return { docUid: isTaken ? docUid : null, isTrouble, told: `${answer.status} ${type} ${text}` };
}

type Page = { readonly totalCount: number; readonly items: readonly { readonly docUid: string }[] };

/** Every answered document is there once, the counts agree, all of them are accepted, and the authority has each once. */
export async function assertAllDelivered(api: string, key: string, { answered }: Load, simulator: Simulator) {
  const list = async (query: string) => {
    const answer = await fetch(`${api}/outbound?pageSize=${LARGEST_PAGE}${query}`, { headers: as(key) });
    assert.equal(answer.status, 200);
    return (await answer.json()) as Page;
  };
  const { items, totalCount } = await list('');
  assert.ok(totalCount <= LARGEST_PAGE);
  assert.deepEqual(items.map(({ docUid }) => docUid).toSorted(), [...answered.values()].toSorted());
  assert.equal(totalCount, answered.size);
  await until('everything accepted', async () => (await list('&status=40')).totalCount === answered.size);
  const registered = await registrations(simulator);
  const times = [...registered].map(([number, documents]) => `${number} ${documents.length}`);
  assert.deepEqual(times.toSorted(), [...answered.keys()].map((number) => `${number} 1`).toSorted());
}
