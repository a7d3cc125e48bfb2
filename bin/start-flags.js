/**
 * The flags of Node that the service runs with, named here alone: how garbage is collected, and no word about features that
 * are experimental on purpose. docs/decisions/0011-garbage-collection.md says what each of them brings.
 */
export const START_FLAGS = Object.freeze([
  '--disable-warning=ExperimentalWarning',
  '--single-threaded-gc',
  '--max-semi-space-size=64',
  '--external-memory-accounted-in-global-limit',
  '--heap-growing-percent=150',
]);
