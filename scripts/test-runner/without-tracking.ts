import hooks from 'node:async_hooks';

/**
 * To be loaded before node:test, which follows every promise from its making to its end so as to know the test that an uncaught error
 * belongs to. That takes a quarter of the processor time of tests that wait a lot. Without it such an error still fails its file and
 * is shown; only the name of the test is missing.
 */
const { createHook } = hooks;
const untouched = { enable: () => untouched, disable: () => untouched };
hooks.createHook = (callbacks) => (isAskedByTestRunner() ? untouched : createHook(callbacks));

function isAskedByTestRunner(): boolean {
  return new Error().stack?.includes('node:internal/test_runner/') ?? false;
}
