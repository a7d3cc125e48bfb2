import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { largeInvoice } from '../test/support/ubl-samples.ts';
import { postMany } from './load.ts';

/** How long a ping takes while documents of 10 MiB are being validated, against an idle service. */
const PINGS = 1_500;
const LARGE_BYTES = 10 * 1_048_576 - 4_096;

const child = fork(new URL('./service.ts', import.meta.url), { execArgv: ['--disable-warning=ExperimentalWarning'] });
const [{ url, apiKey }] = (await once(child, 'message')) as [{ url: string; apiKey: string }];
const headers = { 'X-Api-Key': apiKey, 'X-Software-Id': 'bench/1.0' };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const large = Buffer.from(largeInvoice(LARGE_BYTES));

await pingMany(500);
const idle = await pingMany(PINGS);
let isLoading = true;
let validated = 0;
const loading = (async () => {
  for (let round = 0; isLoading; round += 1) {
    await postMany({
      url: `${url}/api/integration/v1/outbound`,
      count: 1,
      connections: 1,
      expectedStatus: 201,
      headers: () => ({ ...headers, 'X-Idempotency-Key': `large ${round}` }),
      body: () => large,
    });
    validated += 1;
  }
})();
const beside = await pingMany(PINGS);
isLoading = false;
await loading;
console.log(`ping, idle:                    p50 ${idle.p50.toFixed(2)} ms   p99 ${idle.p99.toFixed(2)} ms`);
console.log(
  `ping beside ${validated} times 10 MiB:     p50 ${beside.p50.toFixed(2)} ms   p99 ${beside.p99.toFixed(2)} ms`,
);
console.log(`ratio of p99:                  ${(beside.p99 / idle.p99).toFixed(1)}`);
agent.destroy();
child.disconnect();

async function pingMany(count: number): Promise<{ readonly p50: number; readonly p99: number }> {
  const durations: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const started = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(`${url}/api/integration/v1/ping`, { agent, headers }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve());
      }).on('error', reject);
    });
    durations.push(performance.now() - started);
  }
  durations.sort((a, b) => a - b);
  return { p50: durations[Math.floor(count * 0.5)] ?? 0, p99: durations[Math.floor(count * 0.99)] ?? 0 };
}
