import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { postMany } from './load.ts';
import { startChild } from './start-child.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 10_000);
const CONNECTIONS = 64;

const invoice = await readFile(new URL('../docs/examples/invoice.xml', import.meta.url), 'utf8');

/** The service, and beside it a bare server that only takes the same bodies: what HTTP alone costs on this machine. */
for (const subject of ['bare-server', 'service'] as const) {
  const child = startChild(subject);
  const [{ url, apiKey }] = (await once(child, 'message')) as [{ url: string; apiKey: string }];
  const load = (count: number, run: string) =>
    postMany({
      url: `${url}/api/integration/v1/outbound`,
      count,
      connections: CONNECTIONS,
      expectedStatus: 201,
      headers: (index) => ({
        'X-Api-Key': apiKey,
        'X-Software-Id': 'bench/1.0',
        'X-Idempotency-Key': `${run}-${index}`,
      }),
      body: (index) => Buffer.from(invoice.replace('2026-7001', `${run}-${index}`)),
    });
  await load(1_000, 'warm');
  const before = await cpuSeconds(child);
  const result = await load(COUNT, 'run');
  const cpu = (await cpuSeconds(child)) - before;
  console.log(
    `${subject.padEnd(12)} ${result.perSecond.toFixed(0).padStart(6)} submissions/s   p50 ${result.p50Ms.toFixed(1)} ms   ` +
      `p99 ${result.p99Ms.toFixed(1)} ms   ${((cpu / COUNT) * 1e6).toFixed(0)} µs of processor time each`,
  );
  child.disconnect();
  await once(child, 'exit');
}

async function cpuSeconds(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: number }];
  return cpu;
}
