import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readEdb } from '../../../src/application/accounts/manage-tenants.ts';
import { type RunningService, startProgram, startService, temporaryFolder } from '../../support/process.ts';
import { ALFA_EDB, BETA_EDB, sampleInvoice } from '../../support/ubl-samples.ts';
import { operatorBeside } from '../operator-beside.ts';
import type { Order, Seen } from './offer-load.ts';

const IS_LONG = process.env['TEST_LONG'] === '1';
const SECONDS = IS_LONG ? 60 : 5;
const TIMES_CAPACITY = 20;
/** However slow the machine is: so many that the key with a call a second has more than it may. */
const LEAST_PER_SECOND = 400;
const PLENTY = 100_000_000;
/** Whose documents each key submits. */
const TENANTS = [ALFA_EDB, BETA_EDB, ALFA_EDB, BETA_EDB, BETA_EDB];
const A_CALL_A_SECOND = 60;
const MAX_CONNECTIONS = 1_500;
/** More than are allowed: some are refused as connections. */
const CONNECTIONS = 1_600;
const MAX_WAIT_MS = 1_000;
/** Two times and more what the service takes when it does nothing, and far below what it would take if requests piled up. */
const MOST_RESIDENT_BYTES = 768 * 1_048_576;
const NORMAL_AGAIN_MS = 5_000;
const LARGEST_PAGE = 500;
const LOOK_EVERY_MS = 200;

test('at twenty times its capacity the service answers what it takes, refuses the rest in order, and loses nothing', async (t) => {
  const variables = {
    DATA_DIR: temporaryFolder(),
    DELIVERY_HOLD_SECONDS: '86400',
    MAX_CONNECTIONS: String(MAX_CONNECTIONS),
    MAX_SUBMISSION_WAIT_MS: String(MAX_WAIT_MS),
  };
  const service = await startService(t, variables);
  const keys = await issueKeys(t, variables);
  const offer = (order: Pick<Order, 'name' | 'seconds' | 'connections' | 'perSecond'>) =>
    offerLoad(t, { ...order, port: Number(new URL(service.url).port), keys, connectionsFirst: MAX_CONNECTIONS });

  const alone = await offerBelow(() => offer({ name: 'alone', seconds: 1, connections: 1, perSecond: null }));
  const full = await offerBelow(() => offer({ name: 'full', seconds: 2, connections: 32, perSecond: null }));
  const capacity = full.successesPerSecond;
  const watch = watchOps(service);
  const over = await offer({
    name: 'over',
    seconds: SECONDS,
    connections: CONNECTIONS,
    perSecond: Math.max(Math.ceil(TIMES_CAPACITY * capacity), LEAST_PER_SECOND),
  });
  const recoveredMs = await workUntilTaken(service, keys[0] ?? '');
  const { mostBytes, slowestMs, failures } = await watch.stop();
  for (const [name, { p50, p99, successesPerSecond }] of Object.entries({ alone, full, over })) {
    t.diagnostic(
      `${name}: ${Math.round(successesPerSecond)} a second; submissions ${p50.submit} ms, p99 ${p99.submit}; reads ${p50.read} ms, p99 ${p99.read}`,
    );
  }
  t.diagnostic(
    `offered ${over.offered}, sent ${over.sent}, answers ${JSON.stringify(over.byStatus)}, closed without one ${over.unanswered}`,
  );
  t.diagnostic(
    `memory ${Math.round(mostBytes / 1_048_576)} MiB, ops port ${slowestMs} ms, normal after ${recoveredMs} ms of work`,
  );

  await t.test('every answer is a success or a problem that says when to come again', () => {
    for (const { wrong } of [alone, full, over]) assert.deepEqual(wrong, []);
    assert.equal(over.answered + over.unanswered, over.sent);
    assert.ok((over.byStatus['201'] ?? 0) > 0 && (over.byStatus['429'] ?? 0) > 0);
    // How much it can take depends on what else the machine does. What it cannot take it refuses; nobody waits in vain while none is refused.
    if (over.unanswered > 0) assert.ok((over.byStatus['503'] ?? 0) > 0, JSON.stringify(over.byStatus));
  });

  await t.test('below its capacity nothing was refused but what was beyond the limit of its key', () => {
    for (const { byStatus, unanswered } of [alone, full]) assert.deepEqual([byStatus['503'] ?? 0, unanswered], [0, 0]);
  });

  await t.test('memory is bounded, and health and metrics are answered meanwhile', () => {
    assert.deepEqual(failures, []);
    assert.ok(mostBytes > 0 && mostBytes < MOST_RESIDENT_BYTES, `${mostBytes} bytes`);
  });

  await t.test('right after the load a submission is taken', () => {
    assert.ok(recoveredMs <= NORMAL_AGAIN_MS, `${recoveredMs} ms`);
  });

  await t.test('every document that was answered with 201 is listed once', async () => {
    for (const tenant of new Set(TENANTS)) {
      const times = new Map<string, number>();
      for (const docUid of await listAll(service, keys[TENANTS.indexOf(tenant)] ?? '')) {
        times.set(docUid, (times.get(docUid) ?? 0) + 1);
      }
      const taken = [alone, full, over].flatMap(({ docUids }) => docUids.filter((_, key) => TENANTS[key] === tenant));
      assert.deepEqual(
        taken.flat().filter((docUid) => times.get(docUid) !== 1),
        [],
      );
    }
  });

  // What each connection has sent waits in the kernel, to be answered no slower than at capacity; then for its turn. Both times are
  // doubled for a machine that the load itself keeps busy.
  const skip = IS_LONG ? false : 'times say something on a quiet machine alone: npm run test:long';
  await t.test('what is taken is answered soon', { skip }, () => {
    const bound = 2 * (MAX_WAIT_MS + (CONNECTIONS / capacity) * 1_000) + full.p99.submit;
    assert.ok(over.p99.submit <= bound && over.p99.read <= bound, `${JSON.stringify(over.p99)}, bound ${bound} ms`);
  });
});

/** A service that stands still for longer than anybody may wait refuses what has come meanwhile, and not each time. */
async function offerBelow(offer: () => Promise<Seen>): Promise<Seen> {
  let seen = await offer();
  for (let tries = 1; tries < 3 && (seen.byStatus['503'] ?? 0) + seen.unanswered > 0; tries += 1) {
    const { docUids: before } = seen;
    seen = await offer();
    // What was taken in the try before must be listed as well.
    seen = { ...seen, docUids: seen.docUids.map((own, key) => [...(before[key] ?? []), ...own]) };
  }
  return seen;
}

/** The last one may do little. */
async function issueKeys(t: TestContext, variables: Record<string, string>): Promise<readonly string[]> {
  const operator = await operatorBeside(t, variables);
  const issued: string[] = [];
  for (const [number, edb] of TENANTS.entries()) {
    const callsPerMinute = number === TENANTS.length - 1 ? A_CALL_A_SECOND : PLENTY;
    const { secret } = await operator.keys.issue({ tenant: readEdb(edb), software: `load-${number}`, callsPerMinute });
    issued.push(secret);
  }
  return issued;
}

async function offerLoad(t: TestContext, order: Order): Promise<Seen> {
  const program = ['--disable-warning=ExperimentalWarning', 'test/system/overload/offer-load.ts'];
  const { stdout, stderr } = await startProgram(
    t,
    process.execPath,
    [...program, JSON.stringify(order)],
    {},
  ).finished();
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Seen;
}

/** Asks for health and metrics again and again. */
function watchOps({ opsUrl }: RunningService) {
  const failures: string[] = [];
  let [mostBytes, slowestMs] = [0, 0];
  let isOver = false;

  async function ask(path: string): Promise<string> {
    const since = performance.now();
    const answer = await fetch(`${opsUrl}${path}`);
    const text = await answer.text();
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - since));
    if (answer.status !== 200) failures.push(`${path}: ${answer.status} ${text}`);
    return text;
  }

  async function watch(): Promise<void> {
    while (!isOver) {
      await ask('/health/live');
      await ask('/health/ready');
      const bytes = /^process_resident_memory_bytes (\S+)$/mu.exec(await ask('/metrics'))?.[1];
      mostBytes = Math.max(mostBytes, Number(bytes));
      await pause(LOOK_EVERY_MS);
    }
  }

  const watching = watch();
  return {
    async stop() {
      isOver = true;
      await watching;
      return { mostBytes, slowestMs, failures };
    },
  };
}

/** The processor time, in milliseconds, that the service takes until it takes a submission: however busy the machine is with others. */
async function workUntilTaken(service: RunningService, key: string): Promise<number> {
  const before = await processorSeconds(service);
  await submitUntilTaken(service, key);
  return Math.round(1_000 * ((await processorSeconds(service)) - before));
}

async function processorSeconds({ opsUrl }: RunningService): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/mu.exec(text)?.[1]);
}

async function submitUntilTaken(service: RunningService, key: string): Promise<void> {
  const since = performance.now();
  for (;;) {
    const headers = { 'X-Idempotency-Key': 'after' };
    const body = sampleInvoice({ number: 'after' });
    const answer = await service.call(key, '/outbound', { method: 'POST', headers, body });
    await answer.arrayBuffer();
    if (answer.status === 201) return;
    assert.equal(answer.status, 503);
    assert.ok(performance.now() - since < 10 * NORMAL_AGAIN_MS, 'never normal again');
  }
}

async function listAll(service: RunningService, key: string): Promise<readonly string[]> {
  const docUids: string[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await service.call(key, `/outbound?pageSize=${LARGEST_PAGE}&page=${page}`);
    const { items } = (await answer.json()) as { readonly items?: readonly { readonly docUid: string }[] };
    if (items === undefined) return docUids;
    docUids.push(...items.map(({ docUid }) => docUid));
    if (items.length < LARGEST_PAGE) return docUids;
  }
}
