import type { ServerResponse } from 'node:http';

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

/** Destroys the connection of a client that does not read its answer, or reads it so slowly that it would keep the memory for long. */
export function limitAnswerTime(response: ServerResponse, bytes: number, limits: Limits): void {
  const { socket } = response.req;
  // Every byte that the client takes starts this one again.
  socket.setTimeout(limits.graceMs);
  const timer = setTimeout(() => socket.destroy(), answerTimeMs(bytes, limits)).unref();
  response.once('close', () => clearTimeout(timer));
}
