import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { OperatorError } from '../application/errors/operator-error.ts';
import type { Timers } from '../application/ports/platform.ts';

// Not imported (src/http/connections/node-http.ts says why), and not `fetch`: to load that takes a tenth of a second of every start.
const { request } = process.getBuiltinModule('node:http');

/** It makes key pairs, which takes long on a busy machine. */
const TIMEOUT_MS = 60_000;

type Answer = { readonly status: number; readonly text: string };

/** Calls the simulator's admin interface: a POST with a body, a GET without one. */
export async function callSimulatorAdmin(timers: Timers, url: string, body?: unknown): Promise<unknown> {
  const { status, text } = await call(timers, url, body);
  const answer = parse(text) as { readonly error?: string } | null;
  if (status >= 200 && status < 300 && answer !== null) return answer;
  throw new OperatorError(
    'refused',
    `${url} refused: ${answer?.error ?? `HTTP ${status}, not an answer of the simulator`}`,
  );
}

async function call(timers: Timers, url: string, body: unknown): Promise<Answer> {
  try {
    return await exchange(timers, url, body);
  } catch {
    throw new OperatorError('refused', `No answer from ${url}. Is the demo running, with the same SIMULATOR_PORT?`);
  }
}

async function exchange(timers: Timers, url: string, body: unknown): Promise<Answer> {
  const sent =
    body === undefined
      ? request(url)
      : request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
  // Stays attached after the answer has begun: an 'error' event without a listener would end the process.
  sent.on('error', () => undefined);
  const timer = timers.after(TIMEOUT_MS, () => sent.destroy(new Error('No answer in time')), { keepsProcess: false });
  try {
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.setEncoding('utf8');
    const pieces: string[] = await Array.fromAsync(response);
    return { status: response.statusCode ?? 0, text: pieces.join('') };
  } finally {
    timer.cancel();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
