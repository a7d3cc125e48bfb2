import asyncHooks from 'node:async_hooks';
import { sendToParent } from './send-to-parent.ts';
import type { TestEvent } from './test-report.ts';

// To know from which test an error comes, node:test follows every promise there is, about a tenth of the work of these processes. Here it
// follows all but promises: an error of one that nobody waits for may then belong to no test, and still fails the job.
const { createHook } = asyncHooks;
type Callbacks = Parameters<typeof createHook>[0];
const followLess = (callbacks: Callbacks) => createHook({ ...callbacks, trackPromises: false } as Callbacks);
Object.assign(asyncHooks, { createHook: followLess });
const { run } = await import('node:test');
Object.assign(asyncHooks, { createHook });

/** Until the process has ended after its last test, in a job in which one has failed: what that has left open would keep it to its time limit. */
const MOST_MS_AFTER_FAILURE = 5_000;

const [timeout, namePatterns = '[]', ...files] = process.argv.slice(2);
const testNamePatterns = JSON.parse(namePatterns) as string[];
// An empty list of patterns would match no name at all.
const names = testNamePatterns.length > 0 ? { testNamePatterns } : {};

/** Tests and suites outside of suites; all are enqueued before the first one begins. */
let underWay = 0;
let hasFailed = false;
for await (const event of run({ files, isolation: 'none', timeout: Number(timeout), ...names })) {
  await sendToParent(event);
  const { type, data } = event as TestEvent;
  if (isAfterThatFailed({ type, data })) process.exit(1);
  hasFailed ||= type === 'test:fail';
  if (data.nesting === 0) underWay += { 'test:enqueue': 1, 'test:complete': -1 }[type] ?? 0;
  if (hasFailed && underWay === 0) setTimeout(() => process.exit(1), MOST_MS_AFTER_FAILURE).unref();
}
process.disconnect();

/**
 * One outside of suites, which is told under the name of its file when all tests are over. Node runs none of the others then, and what they
 * would have closed keeps the process for ever.
 */
function isAfterThatFailed({ type, data }: TestEvent): boolean {
  return type === 'test:fail' && data.name === data.file;
}
