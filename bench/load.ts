import { Agent, request } from 'node:http';

export type LoadResult = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number };

/** Keeps a number of connections busy until the count is reached. Every answer must have the expected status. */
export async function postMany(options: {
  readonly url: string;
  readonly count: number;
  readonly connections: number;
  readonly expectedStatus: number;
  readonly headers: (index: number) => Record<string, string>;
  readonly body: (index: number) => Buffer;
}): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  const durations: number[] = [];
  let next = 0;
  async function client(): Promise<void> {
    for (let index = next++; index < options.count; index = next++) {
      const started = performance.now();
      const status = await post(agent, options.url, options.headers(index), options.body(index));
      durations.push(performance.now() - started);
      if (status !== options.expectedStatus) throw new Error(`HTTP ${status} instead of ${options.expectedStatus}`);
    }
  }
  const started = performance.now();
  await Promise.all(Array.from({ length: options.connections }, client));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  durations.sort((a, b) => a - b);
  const at = (share: number) => durations[Math.floor(durations.length * share)] ?? 0;
  return { perSecond: options.count / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function post(agent: Agent, url: string, headers: Record<string, string>, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { agent, method: 'POST', headers: { ...headers, 'content-length': body.length } },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
