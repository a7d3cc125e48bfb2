import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { requestHead } from '../../support/http-client.ts';
import { as } from '../../support/service.ts';
import { steadyElapsedMs } from '../../support/steady-time.ts';
import { sampleInvoice } from '../../support/ubl-samples.ts';
import { type Answer, type RawClient, rawClient } from './raw-client.ts';

export type Order = {
  readonly port: number;
  readonly keys: readonly string[];
  /** Tells the numbers of one load from those of another. */
  readonly name: string;
  readonly seconds: number;
  /** Opened, and used once, before the load begins. */
  readonly connectionsFirst: number;
  /** Connections at most: each waits for its answer before its next request. */
  readonly connections: number;
  /** Requests a second that are due whether or not others were answered; null: each connection sends when it is answered. */
  readonly perSecond: number | null;
};

/** What clients saw; printed as JSON. */
export type Seen = {
  /** While the load lasted. */
  readonly successesPerSecond: number;
  /** Requests whose time had come; those that found no connection were not sent. */
  readonly offered: number;
  readonly sent: number;
  readonly answered: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Connections that ended while a request was under way on them. */
  readonly unanswered: number;
  /** Answers that are neither a success nor a problem that says when to come again. */
  readonly wrong: readonly string[];
  /** Of every 201, by key. */
  readonly docUids: readonly (readonly string[])[];
  /** Of successes, in milliseconds, by kind of call. */
  readonly p50: Readonly<Record<Kind, number>>;
  readonly p99: Readonly<Record<Kind, number>>;
};

type Kind = 'submit' | 'read';

const ROOT = '/api/integration/v1';
const TICK_MS = 5;
/** No more at once, or answers would wait for this process. */
const MOST_IN_A_TICK = 400;
const ADDRESSES = 12;
const MOST_WRONG = 10;
const NICENESS = 5;
const LAST_ANSWERS_MS = 60_000;
const INVOICE = sampleInvoice({ number: 'NUMBER' });

const order = JSON.parse(process.argv[2] ?? '') as Order;
const free: RawClient[] = [];
const docUids: string[][] = order.keys.map(() => []);
const byStatus: Record<string, number> = {};
const durations: Record<Kind, number[]> = { submit: [], read: [] };
const wrong: string[] = [];
let [open, opened, sent, offered, answered, unanswered] = [0, 0, 0, 0, 0, 0];
let isOver = false;
let isLoadOver = false;

/** Three of four are submissions; the fourth reads, in turns a page, a document and nothing. */
function nextRequest(): { readonly kind: Kind; readonly keyIndex: number; readonly bytes: Buffer } {
  const number = sent;
  sent += 1;
  const keyIndex = Math.floor(number / 4) % order.keys.length;
  const headers = as(order.keys[keyIndex] ?? '');
  if (number % 4 !== 3) {
    const body = Buffer.from(INVOICE.replace('NUMBER', `${order.name}-${number}`));
    const own = { 'X-Idempotency-Key': `${order.name}-${number}`, 'Content-Length': String(body.length) };
    const head = requestHead('POST', `${ROOT}/outbound`, { ...headers, ...own });
    return { kind: 'submit', keyIndex, bytes: Buffer.concat([Buffer.from(head), body]) };
  }
  const known = docUids[keyIndex]?.at(-1);
  const paths = ['/outbound?pageSize=10', known === undefined ? '/ping' : `/outbound/${known}`, '/ping'];
  const path = paths[Math.floor(number / 4) % paths.length];
  return { kind: 'read', keyIndex, bytes: Buffer.from(requestHead('GET', `${ROOT}${path}`, headers)) };
}

function openClient(): RawClient {
  open += 1;
  opened += 1;
  const client = rawClient({
    port: order.port,
    localAddress: `127.0.0.${1 + (opened % ADDRESSES)}`,
    onClose(wasAnswered) {
      open -= 1;
      if (!wasAnswered && !isOver) unanswered += 1;
    },
  });
  return client;
}

function sendOne(client: RawClient): void {
  const { kind, keyIndex, bytes } = nextRequest();
  const since = performance.now();
  client.send(bytes, (answer) => {
    note(answer, kind, keyIndex, performance.now() - since);
    if (order.perSecond === null && !isLoadOver) setImmediate(() => sendOne(client.isFree() ? client : openClient()));
    else if (client.isFree()) free.push(client);
  });
}

function note({ status, contentType, retryAfter, body }: Answer, kind: Kind, keyIndex: number, tookMs: number): void {
  answered += 1;
  byStatus[status] = (byStatus[status] ?? 0) + 1;
  if (status === 200 || status === 201) {
    durations[kind].push(tookMs);
    if (status === 201) docUids[keyIndex]?.push((JSON.parse(body) as { readonly docUid: string }).docUid);
    return;
  }
  const saysWhen = (status === 429 || status === 503) && Number(retryAfter) >= 1;
  const isProblem = contentType.startsWith('application/problem+json') && body.includes('"detail"');
  if (!(saysWhen && isProblem) && wrong.length < MOST_WRONG)
    wrong.push(`${status} ${contentType} ${retryAfter} ${body}`);
}

/**
 * Requests fall due by a clock that stands still with this process: a busy machine lets it offer later, not less. One that finds every
 * connection waiting opens another, up to the limit; then it goes elsewhere.
 */
async function openLoop(perSecond: number): Promise<void> {
  const since = steadyElapsedMs();
  for (let passed = 0; passed < order.seconds * 1_000; passed = steadyElapsedMs() - since) {
    const due = Math.floor((passed * perSecond) / 1_000);
    for (let count = 0; offered < due; count += 1) {
      offered += 1;
      if (count >= MOST_IN_A_TICK) continue;
      let client = free.pop();
      while (client !== undefined && !client.isFree()) client = free.pop();
      if (client === undefined && open >= order.connections) continue;
      sendOne(client ?? openClient());
    }
    await pause(TICK_MS);
  }
}

/** Clients are there before the load is: how fast a machine accepts connections is another question. */
async function openConnections(): Promise<void> {
  const ping = Buffer.from(requestHead('GET', `${ROOT}/ping`, as(order.keys[0] ?? '')));
  for (let count = 0; count < order.connectionsFirst; count += 1) {
    const client = openClient();
    client.send(ping, () => free.push(client));
  }
  while (free.length < order.connectionsFirst) {
    if (unanswered > 0) throw new Error('A connection was closed before the load began.');
    await pause(TICK_MS);
  }
}

async function closedLoop(): Promise<void> {
  for (let count = 0; count < order.connections; count += 1) sendOne(openClient());
  await pause(order.seconds * 1_000);
}

function percentiles(part: number): Seen['p99'] {
  const of = (all: readonly number[]) => all.toSorted((one, other) => one - other)[Math.floor(part * (all.length - 1))];
  return { submit: Math.round(of(durations.submit) ?? 0), read: Math.round(of(durations.read) ?? 0) };
}

// Clients are elsewhere, and take less from the service than it takes. With more of it they would hardly run beside other tests.
setPriority(NICENESS);
if (order.perSecond !== null) await openConnections();
const since = performance.now();
if (order.perSecond === null) await closedLoop();
else await openLoop(order.perSecond);
const seconds = (performance.now() - since) / 1_000;
isLoadOver = true;
const successes = durations.submit.length + durations.read.length;
// Whatever is still under way is answered as well, or the test fails by what it misses.
const deadline = performance.now() + LAST_ANSWERS_MS;
while (answered + unanswered < sent && performance.now() < deadline) await pause(TICK_MS);
isOver = true;
const seen: Seen = {
  successesPerSecond: successes / seconds,
  offered,
  sent,
  answered,
  unanswered,
  byStatus,
  wrong,
  docUids,
  p50: percentiles(0.5),
  p99: percentiles(0.99),
};
process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.exit(0));
