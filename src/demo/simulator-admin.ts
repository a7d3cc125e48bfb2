import { OperatorError } from '../application/errors/operator-error.ts';
import type { Timers } from '../application/ports/platform.ts';

/** It makes key pairs, which takes long on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Calls the simulator's admin interface: a POST with a body, a GET without one. */
export async function callSimulatorAdmin(timers: Timers, url: string, body?: unknown): Promise<unknown> {
  const waiting = new AbortController();
  const timer = timers.after(TIMEOUT_MS, () => waiting.abort(), { keepsProcess: false });
  const response = await call(url, body, waiting.signal);
  const answer = (await response.json().catch(() => null)) as { readonly error?: string } | null;
  timer.cancel();
  if (response.ok && answer !== null) return answer;
  throw new OperatorError(
    'refused',
    `${url} refused: ${answer?.error ?? `HTTP ${response.status}, not an answer of the simulator`}`,
  );
}

async function call(url: string, body: unknown, signal: AbortSignal): Promise<Response> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    return await fetch(url, body === undefined ? { signal } : { ...post, signal });
  } catch {
    throw new OperatorError('refused', `No answer from ${url}. Is the demo running, with the same SIMULATOR_PORT?`);
  }
}
