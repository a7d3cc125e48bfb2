import type { ServerResponse } from 'node:http';
import type { Timers } from '../../application/ports/platform.ts';
import { onClose } from './on-close.ts';

type Limits = {
  /** For any answer, and also the time for which a client may take nothing at all. */
  readonly graceMs: number;
  readonly leastBytesPerSecond: number;
};

const SECOND_MS = 1_000;

/** How long a client may take for an answer of this size; in whole seconds, because Node keeps a list of timers for each duration. */
export function answerTimeMs(bytes: number, { graceMs, leastBytesPerSecond }: Limits): number {
  return graceMs + Math.ceil(bytes / leastBytesPerSecond) * SECOND_MS;
}

/**
 * Resets the connection of a client that does not read its answer, or reads it so slowly that it would keep the memory for long.
 * Closed in the usual way, the system would go on sending what it has taken, some megabytes, for as long as the client likes.
 */
export function limitAnswerTime(timers: Timers, response: ServerResponse, bytes: number, limits: Limits): void {
  const { socket } = response.req;
  const reset = () => void socket.resetAndDestroy();
  // Started again whenever the client has taken some of it.
  socket.setTimeout(limits.graceMs);
  response.once('timeout', reset);
  const timer = timers.after(answerTimeMs(bytes, limits), reset, { keepsProcess: false });
  onClose(response, timer.cancel);
}
