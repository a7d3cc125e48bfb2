import type { RawOrder, RawResult } from '../baselines/raw-order.ts';
import type { Bench } from '../bench.ts';
import type { ClosedLoop, LoadOrder, LoadResult, OpenLoop, Plan } from '../load/plan.ts';
import type { Child } from '../processes/children.ts';
import { resetPeak, usageOf } from '../processes/usage.ts';
import { type Baseline, type Figures, NO_FIGURES } from '../report/figures.ts';

export const CONNECTIONS = 32;
/** Of small requests: on a busy machine a short time brings too few of them to be compiled, or to be counted. */
export const LEAST_REQUESTS = 400;
export const LOAD = 'load/generator';

/** Of a load on a process: first unseen, so that everything is compiled and connected, then measured. */
export async function measureLoad(
  bench: Bench,
  pid: number,
  plan: Plan,
  loop: ClosedLoop | OpenLoop,
): Promise<Figures> {
  const generator = await bench.shared(LOAD);
  const warm = { ...(loop.kind === 'closed' ? loop : closed(bench)), ms: bench.settings.warmMs };
  await load(generator, { plan, loop: warm });
  return measured(pid, () => load(generator, { plan, loop }));
}

export function load(generator: Child, order: LoadOrder): Promise<LoadResult> {
  return generator.ask<LoadResult>(order);
}

/** What a load did to a process, with what the process used meanwhile. */
export async function measured(pid: number, run: () => Promise<LoadResult>): Promise<Figures> {
  resetPeak(pid);
  const before = usageOf(pid);
  const { p50Ms, p95Ms, p99Ms, p999Ms, perSecond, answered, others } = await run();
  return {
    ...NO_FIGURES,
    perSecond,
    p50Ms,
    p95Ms,
    p99Ms,
    p999Ms,
    ...used(pid, before, answered),
    note: noteOf(others),
  };
}

export function used(pid: number, before: ReturnType<typeof usageOf>, count: number): Partial<Figures> {
  const after = usageOf(pid);
  if (before === null || after === null) return {};
  const { residentMiB, peakMiB } = after;
  return { processorMs: (after.processorMs - before.processorMs) / count, residentMiB, peakMiB };
}

function noteOf(others: LoadResult['others']): string | null {
  const told = Object.entries(others).map(
    ([status, count]) => `${count} times ${status === '0' ? 'no answer' : status}`,
  );
  return told.length === 0 ? null : told.join(', ');
}

export async function measureRaw(bench: Bench, child: Child, order: RawOrder): Promise<Figures> {
  await child.ask<RawResult>({ ...order, ms: bench.settings.warmMs });
  resetPeak(child.pid);
  const before = usageOf(child.pid);
  const { count, perSecond, p50Ms, p95Ms, p99Ms, p999Ms } = await child.ask<RawResult>(order);
  return { ...NO_FIGURES, perSecond, p50Ms, p95Ms, p99Ms, p999Ms, ...used(child.pid, before, count) };
}

export function closed(bench: Bench, connections = CONNECTIONS, atLeast = leastOf(connections)): ClosedLoop {
  return { kind: 'closed', connections, ms: bench.settings.measureMs, atLeast, atMost: Number.POSITIVE_INFINITY };
}

function leastOf(connections: number): number {
  return connections === CONNECTIONS ? LEAST_REQUESTS : connections;
}

export function offered(bench: Bench, perSecond: number): OpenLoop {
  // No percentile of a thousand can be told from fewer.
  return { kind: 'open', perSecond, ms: Math.max(bench.settings.measureMs, 1_000) };
}

/** The same requests to a server that only takes the bodies, or answers as many bytes. */
export async function bareServer(
  bench: Bench,
  plan: Plan,
  loop: ClosedLoop | OpenLoop,
  answerBytes = 0,
): Promise<Baseline> {
  const [call] = plan.calls;
  if (call === undefined) throw new Error('A plan needs calls.');
  // A whole number of digits for all answers of about that size: they need not be measured one by one.
  const bytes = answerBytes === 0 ? 0 : 2 ** Math.round(Math.log2(answerBytes));
  const key = ['bare', call.body?.length, bytes, ...Object.values(loop)].join(' ');
  const figures = await bench.once(key, async () => {
    const { facts, pid } = await bench.shared<{ readonly url: string }>('baselines/bare-server');
    const calls = plan.calls.map((one) => ({ ...one, path: `/${bytes}` }));
    return measureLoad(bench, pid, { url: facts.url, calls, expected: [200, 201] }, loop);
  });
  return { name: 'bare HTTP server', figures };
}
