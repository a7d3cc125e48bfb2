import type { Logger } from 'pino';
import type { ThreadedReader } from '../../adapters/ubl/document-reader.ts';

export type ReadingWatch = {
  /** Why no document can be read that needs the parser; null as long as nothing is known against it. */
  readonly problem: () => string | null;
  readonly stop: () => void;
};

const PROBLEM = 'no thread that reads documents can be started';

/** The first thread starts with the first document that needs one. Should that fail, documents wait: the log says so once, and readiness as long as it lasts. */
export function watchReading(
  reader: Pick<ThreadedReader, 'onThreads'>,
  log: Pick<Logger, 'error' | 'warn'>,
): ReadingWatch {
  let isFailing = false;
  const stop = reader.onThreads((failure) => {
    const wasFailing = isFailing;
    isFailing = failure !== null;
    if (isFailing && !wasFailing) log.error({ err: failure }, `${PROBLEM}; documents wait, and it is tried again`);
    if (wasFailing && !isFailing) log.warn('a thread that reads documents has started again');
  });
  return { problem: () => (isFailing ? PROBLEM : null), stop };
}
