/** Points in time, in milliseconds since 1970. It may step, forward or back; durations are measured by `Timers`. */
export type Clock = { readonly now: () => number };

export type Timer = { readonly cancel: () => void };

/** A timer keeps the process alive until it has run, unless it is said not to. */
export type TimerOptions = { readonly keepsProcess?: boolean };

export type Timers = {
  /** Milliseconds since some moment, never going back: for durations, not for points in time. */
  readonly elapsedMs: () => number;
  readonly after: (ms: number, run: () => void, options?: TimerOptions) => Timer;
  readonly every: (ms: number, run: () => void, options?: TimerOptions) => Timer;
  /** Rejects with the reason of the signal if that is aborted before the time is over. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Resolves when everything that is ready now, input from outside included, has had its turn. */
  readonly nextTurn: () => Promise<void>;
};

/** The only source of randomness; identifiers and fractions are derived from its bytes. Fit for secrets. */
export type Random = { readonly bytes: (count: number) => Uint8Array };

/** Everything by which two runs of the same program on the same input can differ. */
export type Platform = { readonly clock: Clock; readonly timers: Timers; readonly random: Random };

export type Hasher = { readonly sha256: (content: Uint8Array | string) => Uint8Array };
