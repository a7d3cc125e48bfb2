import { existsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { GroupAnswer, SubmissionGroup } from '../../../../../src/adapters/sql/sqlite/threads/submission-thread.ts';
import { READY } from '../../../../../src/adapters/threads/thread-ready.ts';

/** In the place of the thread that stores submissions: dies of each group until there is a file at the path of the database. */
parentPort?.on('message', ({ path, submissions }: SubmissionGroup) => {
  if (submissions.length > 0 && !existsSync(path)) process.exit(1);
  parentPort?.postMessage({ stored: [] } satisfies GroupAnswer);
});
parentPort?.postMessage(READY);
