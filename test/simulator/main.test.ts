import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '../../simulator/simulator.ts';

type Process = ChildProcessByStdio<null, Readable, Readable>;

const SIMULATOR = new URL('../../simulator/', import.meta.url);

function start(t: TestContext, ...args: string[]): Process {
  const main = fileURLToPath(new URL('main.ts', SIMULATOR));
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function outcome(child: Process) {
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, exitCode };
}

async function announcedUrl(child: Process): Promise<string> {
  for await (const chunk of child.stdout) {
    const url = /http:\S+/u.exec(String(chunk))?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('The simulator ended without saying where it listens.');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`serves until ${signal}, then ends cleanly`, async (t) => {
    const child = start(t, '--port', '0', '--host', '127.0.0.1');
    const exited = once(child, 'exit');
    const response = await fetch(`${await announcedUrl(child)}/api/v1/server-time`);
    assert.equal(response.status, 200);
    child.kill(signal);
    assert.deepEqual(await exited, [0, null]);
  });
}

test('--out-of-order starts it broken', async (t) => {
  const child = start(t, '--port', '0', '--out-of-order');
  assert.equal((await fetch(`${await announcedUrl(child)}/api/v1/server-time`)).status, 502);
});

test('--help tells the options', async (t) => {
  const { stdout, exitCode } = await outcome(start(t, '--help'));
  assert.equal(exitCode, 0);
  for (const option of ['--host', '--port', '--out-of-order']) assert.ok(stdout.includes(option));
});

test('wrong arguments end with exit code 2 and say what is wrong', async (t) => {
  for (const args of [['--port', 'http'], ['--port', '70000'], ['--port', '1e3'], ['--bogus']]) {
    const { stderr, exitCode } = await outcome(start(t, ...args));
    assert.equal(exitCode, 2);
    assert.ok(stderr.includes(args[0] ?? ''));
  }
});

test('a port in use ends with exit code 1', async (t) => {
  const other = await startSimulator({ host: '127.0.0.1', port: 0 });
  t.after(other.close);
  const { stderr, exitCode } = await outcome(start(t, '--port', new URL(other.url).port));
  assert.equal(exitCode, 1);
  assert.match(stderr, /EADDRINUSE/u);
});

test('the simulator imports nothing but itself and Node', () => {
  const files = readdirSync(SIMULATOR, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  for (const file of files) {
    const source = readFileSync(new URL(file, SIMULATOR), 'utf8');
    for (const [, from] of source.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/gu)) {
      assert.match(from ?? '', /^(?:node:|\.\/)/u, `${file} imports ${from}`);
    }
  }
});
