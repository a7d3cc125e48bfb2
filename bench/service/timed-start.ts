import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { takeOrders } from '../processes/take-orders.ts';
import { usageOf } from '../processes/usage.ts';
import type { TimedStart } from './timed-start-result.ts';

/** Starts a program as operators start it, until it prints the text that says it is ready, and ends it. */
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
let running: ChildProcessByStdio<null, Readable, null> | null = null;

type Order = { readonly args: readonly string[]; readonly readyText: string };

takeOrders<Order>(startOnce, async () => void running?.kill('SIGKILL'));
process.send?.({});

async function startOnce({ args, readyText }: Order): Promise<TimedStart> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
  running = child;
  const ended = once(child, 'exit');
  await told(child, readyText);
  const ms = performance.now() - started;
  const usage = usageOf(child.pid ?? 0);
  child.kill('SIGTERM');
  await ended;
  running = null;
  return { ms, usage };
}

/** Reads on afterwards: what the program prints when it ends must find somebody. */
function told({ stdout }: ChildProcessByStdio<null, Readable, null>, text: string): Promise<void> {
  let printed = '';
  return new Promise((resolve, reject) => {
    stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes(text)) resolve();
    });
    stdout.once('end', () => reject(new Error(`It ended before it was ready: ${printed}`)));
  });
}
