/**
 * The flags of Node that the service runs with, named here alone: how garbage is collected, no word about features that are experimental
 * on purpose, and no port for debugging on SIGUSR1. docs/decisions/0011-garbage-collection.md says what each of them brings.
 */
export const START_FLAGS = Object.freeze([
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=16',
  '--external-memory-accounted-in-global-limit',
  '--heap-growing-percent=150',
  '--expose-gc',
  '--disable-sigusr1',
  '--initial-old-space-size=64',
  `--import=${new URL('./quick-imports.js', import.meta.url).href}`,
]);

/**
 * How the C library of Linux gives memory back: buffers of documents at once when they are freed, and few pools that threads share. By itself
 * it learns from the first large buffer that such sizes are to be kept. docs/decisions/0043-memory.md has the figures.
 */
export const START_ENVIRONMENT = Object.freeze({
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
});
