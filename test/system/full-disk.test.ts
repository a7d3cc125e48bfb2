import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isRaised } from '../alerts/expression.ts';
import { exprOf } from '../alerts/rules.ts';
import { QUICK_START, type RunningService, serviceAt, startProgram, until } from '../support/process.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';

const ROUNDS = process.env['TEST_LONG'] === '1' ? 20 : 2;
const KEY = 'demo-alfa';
const WELCOME = /^(\d+)\n.*demo environment: (\S+)\/api\/integration\/v1\n[^\n]* (\S+)\/health\/ready.*Ctrl-C/su;
/** Stored ahead of its transaction, by a thread with a connection of its own. */
const LARGE_BYTES = 300_000;
const ACCEPTED = 40;
/** More than fit into the log of the database before it is written back. */
const MOST_TAKEN = 1_000;

type Place = { readonly folder: string; readonly pid: string };
/** A way to let writes fail although the files are open. */
type Way = {
  /** What starts the service, where it needs something around it; its process must keep its identifier. */
  readonly prefix?: readonly string[];
  readonly forbid: (place: Place) => void;
  readonly allow: (place: Place) => void;
  readonly alerts: readonly string[];
  /** Why it does not work here. */
  readonly obstacle: () => string | null;
};

/** As no account but root may, and on file systems alone that heed it also for files that are open. */
const immutableFiles: Way = {
  forbid: ({ folder }) => run('chattr', '+i', ...databaseFiles(folder), folder),
  allow: ({ folder }) => run('chattr', '-i', folder, ...databaseFiles(folder)),
  alerts: ['DostavaDatabaseNotWritable'],
  obstacle() {
    const folder = mkdtempSync(join(tmpdir(), 'dostava-'));
    const file = join(folder, 'probe');
    const descriptor = openSync(file, 'w');
    try {
      if (spawnSync('chattr', ['+i', file]).status !== 0) return 'chattr +i is not possible here';
      return isRefused(() => writeSync(descriptor, 'x'))
        ? null
        : 'the file system writes to immutable files that are open';
    } finally {
      closeSync(descriptor);
      spawnSync('chattr', ['-i', file]);
      rmSync(folder, { recursive: true });
    }
  },
};

/** A disk of its own, which this process alone sees: nothing of it stays behind, however the test ends. */
const OWN_DISK = ['unshare', '--user', '--map-root-user', '--mount', '--propagation', 'private'];
const DISK_BYTES = 32 * 2 ** 20;
const MOUNT = `mount -t tmpfs -o size=${DISK_BYTES} none "$DATA_DIR" && exec "$0" "$@"`;

const fullDisk: Way = {
  prefix: [...OWN_DISK, '/bin/sh', '-c', MOUNT],
  forbid(place) {
    const descriptor = openSync(fillerOf(place), 'w');
    try {
      assert.ok(isRefused(() => fill(descriptor, 2 ** 16)));
      assert.ok(isRefused(() => fill(descriptor, 1)));
    } finally {
      closeSync(descriptor);
    }
  },
  allow: (place) => rmSync(fillerOf(place), { force: true }),
  alerts: ['DostavaDatabaseNotWritable', 'DostavaDiskFilling'],
  obstacle() {
    const folder = mkdtempSync(join(tmpdir(), 'dostava-'));
    const [program = '', ...args] = [...OWN_DISK, '/bin/sh', '-c', MOUNT, 'true'];
    const { status } = spawnSync(program, args, { env: { PATH: process.env['PATH'], DATA_DIR: folder } });
    rmSync(folder, { recursive: true });
    return status === 0 ? null : 'no disk may be mounted here (unshare --user --mount, mount -t tmpfs)';
  },
};

/** The disk of the service, as its process sees it. */
const fillerOf = ({ folder, pid }: Place) => join('/proc', pid, 'root', folder, 'filler');

function fill(descriptor: number, chunkBytes: number): never {
  const chunk = Buffer.alloc(chunkBytes);
  for (;;) writeSync(descriptor, chunk);
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

function isRefused(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

/** Not the memory that processes share: it is mapped, and to write to the map of an immutable file ends the process. */
function databaseFiles(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => /\.sqlite(?:-wal)?$/u.test(name));
  assert.equal(names.length, 2, `${names}`);
  return names.map((name) => join(folder, name));
}

const WAYS = { 'is full': fullDisk, 'is read-only: immutable files': immutableFiles };

for (const [name, way] of Object.entries(WAYS)) {
  const obstacle = way.obstacle();
  test(
    `when the disk ${name}, reads go on, writes get 503, and all goes on when it can be written again`,
    {
      skip: obstacle ?? false,
    },
    (t) => becomeReadOnly(t, way),
  );
}

type Stored = { readonly docUid: string; readonly xml: string };

async function becomeReadOnly(t: TestContext, way: Way): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dostava-'));
  const { service, pid } = await start(t, folder, way.prefix ?? []);
  t.after(() => {
    isRefused(() => way.allow({ folder, pid }));
    rmSync(folder, { recursive: true, force: true });
  });
  const stored: Stored[] = [];
  const submit = async (number: string, size = 0): Promise<Response> => {
    const xml = sampleInvoice({ number }).replace('</Invoice>', `<!--${'x'.repeat(size)}--></Invoice>`);
    const answer = await service.call(KEY, '/outbound', {
      method: 'POST',
      headers: { 'X-Idempotency-Key': number },
      body: xml,
    });
    if (answer.ok) stored.push({ xml, docUid: ((await answer.clone().json()) as Stored).docUid });
    return answer;
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    assert.equal((await submit(`before-${round}`)).status, 201);
    const racing = Array.from({ length: 8 }, (_, index) => submit(`racing-${round}-${index}`));
    way.forbid({ folder, pid });
    for (const answer of await Promise.all(racing)) if (!answer.ok) await assertComeAgain(answer);
    const refused = await submitUntilRefused(submit, round);
    await assertComeAgain(await submit(`large-${round}`, LARGE_BYTES));
    const docUid = stored.at(-1)?.docUid;
    for (const path of ['/ping', '/outbound', `/outbound/${docUid}`, `/outbound/${docUid}/file`, '/inbound']) {
      assert.equal((await service.call(KEY, path)).status, 200, path);
    }
    await until('not ready', async () => (await fetch(`${service.opsUrl}/health/ready`)).status === 503);
    assert.equal((await fetch(`${service.opsUrl}/health/live`)).status, 200);
    assert.deepEqual(await raised(service, way), way.alerts);

    way.allow({ folder, pid });
    await until('ready', async () => (await fetch(`${service.opsUrl}/health/ready`)).status === 200);
    assert.deepEqual(await raised(service, way), [], 'the alerts end');
    assert.equal((await submit(refused)).status, 201, 'nothing is left of what was refused');
    assert.equal((await submit(`large-${round}`, LARGE_BYTES)).status, 201);
  }
  for (const { docUid, xml } of stored) {
    assert.equal(await (await service.call(KEY, `/outbound/${docUid}/file`)).text(), xml);
    await until('delivered', async () => {
      const answer = await service.call(KEY, `/outbound/${docUid}`);
      return ((await answer.json()) as { readonly status: number }).status === ACCEPTED;
    });
  }
  // Not by `stop`: the simulator of the demo has its own files in this process, and tells that it could not write them.
  service.signal('SIGTERM');
  assert.equal((await service.finished()).exitCode, 0);
}

/** The first number that is refused: the log of the database may still have room when the disk has none. */
async function submitUntilRefused(submit: (number: string) => Promise<Response>, round: number): Promise<string> {
  for (let count = 0; count < MOST_TAKEN; count += 1) {
    const number = `small-${round}-${count}`;
    const answer = await submit(number);
    if (answer.ok) continue;
    await assertComeAgain(answer);
    return number;
  }
  return assert.fail('the disk never fills');
}

async function raised({ opsUrl }: RunningService, { alerts }: Way): Promise<readonly string[]> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return alerts.filter((alert) => isRaised(exprOf(alert), [{ at: 0, text }]));
}

async function assertComeAgain(answer: Response): Promise<void> {
  const text = await answer.text();
  assert.equal(answer.status, 503, text);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/u);
  assert.ok(Number(answer.headers.get('retry-after')) > 0, text);
}

async function start(
  t: TestContext,
  folder: string,
  prefix: readonly string[],
): Promise<{ readonly service: RunningService; readonly pid: string }> {
  const variables = {
    ...{ DATA_DIR: folder, DELIVERY_HOLD_SECONDS: '0', AUTHORITY_PACE_MS: '0', LEASE_SECONDS: '10' },
    ...{ PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0' },
  };
  const program = ['-c', 'echo $$ && exec "$0" "$@"', process.execPath, ...QUICK_START, 'src/main.ts', 'serve'];
  const [first = '', ...args] = [...prefix, '/bin/sh', ...program];
  const running = startProgram(t, first, args, variables);
  const [, pid = '', url = '', opsUrl = ''] = await running.waitFor(WELCOME);
  return { pid, service: { ...running, ...serviceAt(running, url), opsUrl } };
}
