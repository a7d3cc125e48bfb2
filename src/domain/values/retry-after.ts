/**
 * How long a caller is asked to stay away, as the header Retry-After has it: whole seconds, rounded up, so that a call after
 * them is not turned away again, and at least one.
 */
export function retryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1_000));
}
