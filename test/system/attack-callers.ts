import { parentPort, workerData } from 'node:worker_threads';

export type CallerData = {
  readonly api: string;
  readonly key: string;
  readonly control: string;
  readonly invoice: string;
  readonly everyMs: number;
  /**
   * Whether a call begins whenever its time has come, though the last one was not answered: so a stop of a second is seen by many. Where
   * nobody looks at their times, calls would pile up on a slow machine until some are refused for want of room.
   */
  readonly isPressing: boolean;
};

/** How long callers waited since the last report, in milliseconds: for the service, and for a process that does nothing else. */
export type Waits = {
  readonly service: readonly number[];
  readonly control: readonly number[];
  readonly failures: readonly string[];
};

/** Runs on a thread of its own: what the test itself does must not count as waiting. */
function callWithoutEnd({ api, key, control, invoice, everyMs, isPressing }: CallerData): void {
  let [service, idle, failures]: [number[], number[], string[]] = [[], [], []];
  let [calls, underWay] = [0, 0];
  const headers = { 'X-Api-Key': key, 'X-Software-Id': 'modest/1.0' };
  const acts: readonly [() => Promise<Response>, ...(() => Promise<Response>)[]] = [
    () => fetch(`${api}/ping`, { headers }),
    () => fetch(`${api}/outbound?pageSize=10`, { headers }),
    () =>
      fetch(`${api}/outbound`, {
        method: 'POST',
        headers: { ...headers, 'X-Idempotency-Key': `modest ${calls}` },
        body: invoice.replace('NUMBER', `M-${calls}`),
      }),
  ];

  async function timed(waits: number[], act: () => Promise<Response>): Promise<void> {
    const start = performance.now();
    const answer = await act();
    const text = await answer.text();
    waits.push(performance.now() - start);
    if (!answer.ok) failures.push(`${answer.status} ${text.slice(0, 200)}`);
  }

  setInterval(() => {
    if (underWay > 0 && !isPressing) return;
    calls += 1;
    const act = acts[calls % acts.length] ?? acts[0];
    underWay += 1;
    const both = [timed(service, act), timed(idle, () => fetch(control))];
    void Promise.allSettled(both).then((ends) => {
      underWay -= 1;
      failures.push(...ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : [])));
    });
  }, everyMs);
  parentPort?.on('message', () => {
    parentPort?.postMessage({ service, control: idle, failures } satisfies Waits);
    [service, idle, failures] = [[], [], []];
  });
}

callWithoutEnd(workerData as CallerData);
