import type { Clock } from '../../application/ports/platform.ts';
import { createBoundedMap } from './bounded-map.ts';

export type CacheLimits = { readonly keptMs: number; readonly most: number };

export type TtlCache<Key, Value> = {
  /** The value while its time is not over. */
  readonly fresh: (key: Key) => Value | undefined;
  /** The last value, also when its time is over; gone only when it was deleted or others took its place. */
  readonly last: (key: Key) => Value | undefined;
  /** `takenAt` is when the value was asked for: it may have changed from that moment on. */
  readonly set: (key: Key, value: Value, takenAt: number) => void;
  readonly delete: (key: Key) => void;
};

/** Keeps values for a time, and no more than so many. */
export function createTtlCache<Key extends string | number, Value>(
  clock: Clock,
  { keptMs, most }: CacheLimits,
): TtlCache<Key, Value> {
  const entries = createBoundedMap<Key, { readonly value: Value; readonly takenAt: number }>(most);
  return {
    fresh(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const ageMs = clock.now() - entry.takenAt;
      // A clock that steps back must not keep a value alive: one from the future is not fresh.
      return ageMs >= 0 && ageMs < keptMs ? entry.value : undefined;
    },
    last: (key) => entries.get(key)?.value,
    set: (key, value, takenAt) => entries.set(key, { value, takenAt }),
    delete: entries.delete,
  };
}

export type AnswerCache<Key, Value> = {
  /** The answer that is kept under the key, else the one that `ask` brings. */
  readonly answer: (key: Key, ask: () => Promise<Value>) => Promise<Value>;
  readonly delete: (key: Key) => void;
};

/** Keeps answers to questions. Those who ask the same at the same time share one answer; a failure is not kept. */
export function createAnswerCache<Key extends string | number, Value>(
  clock: Clock,
  limits: CacheLimits,
): AnswerCache<Key, Value> {
  const answers = createTtlCache<Key, Promise<Value>>(clock, limits);
  return {
    answer(key, ask) {
      const known = answers.fresh(key);
      if (known !== undefined) return known;
      const takenAt = clock.now();
      const answer = ask();
      answers.set(key, answer, takenAt);
      answer.catch(() => {
        // By now a later question may have taken its place.
        if (answers.last(key) === answer) answers.delete(key);
      });
      return answer;
    },
    delete: answers.delete,
  };
}
