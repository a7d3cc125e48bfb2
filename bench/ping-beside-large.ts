import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './start-child.ts';

/**
 * How long a ping takes while documents of 10 MiB are being validated and stored, against an idle service. Beside it, what the
 * machine itself does to the shortest answer of a bare server while any other process keeps a core busy. Pings come at a steady
 * rate, whether or not the one before is answered: an answer that hangs is counted with all that come to wait behind it.
 */
const EVERY_MS = 10;
const PINGS = 3_000;
const WARM_UP_PINGS = 1_500;

type Address = { readonly url: string; readonly apiKey: string };

await compare('bare-server', 'busy', 'beside a busy process');
await compare('service', 'large-sender', 'beside documents of 10 MiB');

async function compare(subject: string, load: string, condition: string): Promise<void> {
  const server = startChild(subject);
  const [address] = (await once(server, 'message')) as [Address];
  const loader = startChild(load);
  await once(loader, 'message');
  loader.send(address);
  await pingMany(address, WARM_UP_PINGS);
  const beside = await pingMany(address, PINGS);
  loader.disconnect();
  await once(loader, 'exit');
  const idle = await pingMany(address, PINGS);
  console.log(`${subject}: ping idle p50 ${idle.p50.toFixed(2)} ms, p99 ${idle.p99.toFixed(2)} ms`);
  console.log(
    `  ${condition} p50 ${beside.p50.toFixed(2)} ms, p99 ${beside.p99.toFixed(2)} ms, worst ${beside.worst.toFixed(1)} ms`,
  );
  console.log(`  ratio of p99 ${(beside.p99 / idle.p99).toFixed(1)}`);
  server.disconnect();
  await once(server, 'exit');
}

async function pingMany(address: Address, count: number) {
  const agent = new Agent({ keepAlive: true });
  const started = performance.now();
  const pings: Promise<number>[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const waitMs = started + sent * EVERY_MS - performance.now();
    if (waitMs > 0) await pause(waitMs);
    pings.push(ping(address, agent));
  }
  const durations = (await Promise.all(pings)).sort((a, b) => a - b);
  agent.destroy();
  const at = (share: number) => durations[Math.floor((count - 1) * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), worst: at(1) };
}

function ping({ url, apiKey }: Address, agent: Agent): Promise<number> {
  const headers = { 'X-Api-Key': apiKey, 'X-Software-Id': 'bench/1.0' };
  const started = performance.now();
  return new Promise((resolve, reject) => {
    get(`${url}/api/integration/v1/ping`, { agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - started));
    }).on('error', reject);
  });
}
