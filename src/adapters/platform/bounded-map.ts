export type BoundedMap<Key, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
  readonly delete: (key: Key) => void;
};

/** A map of at most `most` entries: a new one takes the place of the one that was set longest ago. */
export function createBoundedMap<Key extends string | number, Value>(most: number): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      const [oldest] = entries.keys();
      if (entries.size >= most && oldest !== undefined) entries.delete(oldest);
      entries.set(key, value);
    },
    delete: (key) => void entries.delete(key),
  };
}
