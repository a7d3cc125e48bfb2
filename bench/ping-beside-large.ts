import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { startChild } from './start-child.ts';

/**
 * How long a ping takes while documents of 10 MiB are being validated, against an idle service. Beside it, what the machine
 * itself does to the shortest answer of a bare server while any other process keeps a core busy. Both are measured in the
 * steady state, after as many pings under the load that nobody compiles any more.
 */
const PINGS = 12_000;

await compare('bare-server', 'busy', 'beside a busy process');
await compare('service', 'large-sender', 'beside documents of 10 MiB');

async function compare(subject: string, load: string, condition: string): Promise<void> {
  const server = startChild(subject);
  const [address] = (await once(server, 'message')) as [{ readonly url: string; readonly apiKey: string }];
  const loader = startChild(load);
  await once(loader, 'message');
  loader.send(address);
  await pingMany(address);
  const beside = await pingMany(address);
  loader.disconnect();
  await once(loader, 'exit');
  const idle = await pingMany(address);
  console.log(`${subject}: ping idle p50 ${idle.p50.toFixed(2)} ms, p99 ${idle.p99.toFixed(2)} ms`);
  console.log(`  ${condition} p50 ${beside.p50.toFixed(2)} ms, p99 ${beside.p99.toFixed(2)} ms`);
  console.log(`  ratio of p99 ${(beside.p99 / idle.p99).toFixed(1)}`);
  server.disconnect();
  await once(server, 'exit');
}

async function pingMany(address: { readonly url: string; readonly apiKey: string }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'X-Api-Key': address.apiKey, 'X-Software-Id': 'bench/1.0' };
  const durations: number[] = [];
  for (let done = 0; done < PINGS; done += 1) {
    const started = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(`${address.url}/api/integration/v1/ping`, { agent, headers }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve());
      }).on('error', reject);
    });
    durations.push(performance.now() - started);
  }
  agent.destroy();
  durations.sort((a, b) => a - b);
  return { p50: durations[Math.floor(PINGS * 0.5)] ?? 0, p99: durations[Math.floor(PINGS * 0.99)] ?? 0 };
}
