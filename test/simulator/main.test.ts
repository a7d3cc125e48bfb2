import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../../simulator/command-line.ts';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { inTime } from '../support/in-time.ts';
import { COMPILE_CACHE, freePort, temporaryFolder, until } from '../support/process.ts';
import { alfa, connect, SECOND, testClock } from './authority-client.ts';

type Process = ChildProcessByStdio<null, Readable, Readable>;

const SIMULATOR = new URL('../../simulator/', import.meta.url);
const MAIN = fileURLToPath(new URL('main.ts', SIMULATOR));
const FULL = '/dev/full';

function start(t: TestContext, ...args: string[]): Process {
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function outcome(child: Process) {
  const [stdout, ended] = await Promise.all([text(child.stdout), outcomeWithoutOutput(child)]);
  return { stdout, ...ended };
}

async function outcomeWithoutOutput(child: Process) {
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { stderr, exitCode };
}

async function announcedUrl(child: Process): Promise<string> {
  for await (const chunk of child.stdout) {
    const url = /http:\S+/u.exec(String(chunk))?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('The simulator ended without saying where it listens.');
}

function simulatorAt(origin: string): Simulator {
  return {
    url: `${origin}/einvoice_api`,
    receiverUrl: `${origin}/JSONReceiver`,
    portalUrl: origin,
    adminUrl: `${origin}/admin`,
    close: async () => undefined,
  };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`answers until ${signal}, then ends with exit code 0`, async (t) => {
    const child = start(t, '--port', '0', '--host', '127.0.0.1');
    const exited = once(child, 'exit');
    const response = await fetch(`${await announcedUrl(child)}/api/v1/server-time`);
    assert.equal(response.status, 200);
    child.kill(signal);
    assert.deepEqual(await exited, [0, null]);
  });
}

test('goes on when nobody reads what it says, and ends in order', async (t) => {
  const port = await freePort();
  const child = start(t, '--port', `${port}`);
  child.stdout.destroy();
  const ended = outcomeWithoutOutput(child);
  await until('it answers', async () => {
    assert.equal(child.exitCode, null);
    const answer = await fetch(`http://127.0.0.1:${port}/einvoice_api/api/v1/server-time`).catch(() => null);
    return answer?.ok === true;
  });
  child.kill('SIGTERM');
  assert.deepEqual(await ended, { stderr: '', exitCode: 0 });
});

test('says in one sentence that its help cannot be written', {
  skip: existsSync(FULL) ? false : `there is no ${FULL} here`,
}, () => {
  const full = openSync(FULL, 'w');
  const help = spawnSync(process.execPath, [MAIN, '--help'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
  closeSync(full);
  assert.equal(help.status, 1);
  assert.match(help.stderr, /^The output could not be written: .*\n$/u);
});

test('--outage starts the simulator in an outage', async (t) => {
  const child = start(t, '--port', '0', '--outage');
  assert.equal((await fetch(`${await announcedUrl(child)}/api/v1/server-time`)).status, 502);
});

test('the program allows one request a second per user, without a limit with --unpaced', async (t) => {
  let users = 0;
  const statuses = async (url: string) => {
    users += 1;
    const headers = { 'X-EUJP-ID': `user ${users}`, 'X-EDB': '4030026000018' };
    const answers = [1, 2].map(async () => (await fetch(`${url}/api/v1/currency`, { headers })).json());
    return (await Promise.all(answers)).map((answer) => (answer as { success: boolean }).success).toSorted();
  };
  const paced = await announcedUrl(start(t, '--port', '0'));
  await inTime(SECOND, async () => assert.deepEqual(await statuses(paced), [false, true]));
  assert.deepEqual(await statuses(await announcedUrl(start(t, '--port', '0', '--unpaced'))), [true, true]);
});

test('documents registered before the program was killed are there after a restart', async (t) => {
  const args = ['--port', '0', '--unpaced', '--state', join(temporaryFolder(), 'state.jsonl')];
  const first = start(t, ...args);
  const origin = new URL(await announcedUrl(first)).origin;
  const { eujpId, edb, certificatePem } = alfa;
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  await fetch(`${origin}/admin/certificates`, { ...init, body: JSON.stringify({ eujpId, edb, certificatePem }) });
  const simulator = simulatorAt(origin);
  const clock = testClock(new Date().toISOString());
  const euids = await Promise.all(Array.from({ length: 20 }, () => connect(simulator, clock).registered()));
  const exited = once(first, 'exit');
  first.kill('SIGKILL');
  await exited;
  const again = simulatorAt(new URL(await announcedUrl(start(t, ...args))).origin);
  const { ask } = connect(again, testClock(new Date().toISOString()));
  const answer = await ask('sales-invoice/ids', { dateFrom: '2026-11-10', dateTo: '2026-11-10' });
  assert.deepEqual((answer['euids'] as readonly string[]).toSorted(), euids.toSorted());
});

test('the rules can be given on the command line', async (t) => {
  const args = ['--tolerance', '0.5', '--references', 'refused', '--same-day', 'accepted', '--containers', 'unsigned'];
  const { origin } = new URL(await announcedUrl(start(t, '--port', '0', ...args)));
  assert.deepEqual(await (await fetch(`${origin}/admin/rules`)).json(), {
    tolerance: 0.5,
    undeclaredReferences: 'refused',
    sameDayReferences: 'accepted',
    containerRequests: 'unsigned',
  });
});

test('--help lists the options', async (t) => {
  const { stdout, exitCode } = await outcome(start(t, '--help'));
  assert.equal(exitCode, 0);
  for (const option of ['--host', '--port', '--state', '--unpaced', '--lose-answers', '--outage'])
    assert.ok(stdout.includes(option));
});

test('wrong arguments end with exit code 2 and a message that names the option', async (t) => {
  const { stderr, exitCode } = await outcome(start(t, '--port', 'http'));
  assert.deepEqual([stderr, exitCode], ["--port must be a number from 0 to 65535, not 'http'.\n", 2]);
});

test('the message about a wrong argument names the option', () => {
  for (const args of [
    ['--port', 'http'],
    ['--port', '70000'],
    ['--port', '1e3'],
    ['--auto-accept', '5d'],
    ['--lose-answers', '1.5'],
    ['--seed', '-1'],
    ['--tolerance', '1e-3'],
    ['--tolerance', '2000'],
    ['--references', 'none'],
    ['--same-day', 'yes'],
    ['--containers', 'all'],
    ['--bogus'],
  ]) {
    assert.throws(
      () => readOptions(args),
      ({ message }: Error) => message.includes(args[0] ?? ''),
      args.join(' '),
    );
  }
});

test('a port in use ends with exit code 1', async (t) => {
  const other = await startSimulator({ host: '127.0.0.1', port: 0 });
  t.after(other.close);
  const { stderr, exitCode } = await outcome(start(t, '--port', new URL(other.url).port));
  assert.equal(exitCode, 1);
  assert.match(stderr, /EADDRINUSE/u);
});

test('the simulator imports only its own files and Node', () => {
  const files = readdirSync(SIMULATOR, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  assert.ok(files.length > 50);
  for (const file of files) {
    const place = new URL(file, SIMULATOR);
    const source = readFileSync(place, 'utf8');
    for (const [, from = ''] of source.matchAll(/\b(?:from\s|import\s*\(?)\s*'([^']+)'/gu)) {
      const isOwn = from.startsWith('.') && new URL(from, place).href.startsWith(SIMULATOR.href);
      assert.ok(isOwn || from.startsWith('node:'), `${file} imports ${from}`);
    }
  }
});
