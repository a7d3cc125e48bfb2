import type { Preparation } from '../../../application/ports/authority.ts';
import type { DocumentContent } from '../../../application/ports/document-reader.ts';
import type { Timers } from '../../../application/ports/platform.ts';
import type { DryRunResult } from '../../../application/ports/validation/dry-run.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import { contentGiven } from '../../threads/serialised-content.ts';
import { createThreadPool, type ThreadPool } from '../../threads/thread-pool.ts';
import { transferable } from '../../threads/transferable.ts';
import type { ConversionContext } from '../conversion/conversion-context.ts';
import { type NeededLookups, neededLookups } from '../conversion/needed-lookups.ts';
import type { ConversionAnswer, ConversionTask, LookupsAnswer } from './conversion-thread.ts';
import { convertToText } from './convert-to-text.ts';
import { rehearse } from './rehearse.ts';

/** A document that has been read and can be converted once its look-ups are done. */
export type OpenDocument = {
  readonly needed: NeededLookups;
  readonly convert: (context: ConversionContext) => Promise<Preparation>;
  readonly rehearse: (context: ConversionContext) => Promise<DryRunResult>;
};

export type Converter = {
  readonly open: (tenant: Edb, content: DocumentContent) => Promise<OpenDocument>;
  readonly close: () => Promise<void>;
};

export type ConverterOptions = {
  readonly timers: Timers;
  /** The processor time that a thread may use for one document; then it is terminated and replaced. */
  readonly timeoutMs?: number;
};

/** The slowest document of 10 MiB takes a few seconds. */
const TIMEOUT_MS = 30_000;

/**
 * Converts small contents directly and large ones on a thread: ten thousand lines take half a second, for which they would
 * block the event loop. The thread starts with the first large one.
 */
export function createConverter({ timers, timeoutMs = TIMEOUT_MS }: ConverterOptions): Converter {
  let pool: ThreadPool<ConversionTask, ConversionAnswer> | null = null;

  async function run(tenant: Edb, task: ConversionTask): Promise<ConversionAnswer> {
    pool ??= createThreadPool({
      module: new URL('./conversion-thread.ts', import.meta.url),
      threads: 1,
      timers,
      timeoutMs,
    });
    const content = transferable(task.content);
    return pool.run(tenant, { ...task, content }, [content.buffer]);
  }

  return {
    async open(tenant, given) {
      if (!(given instanceof Uint8Array)) {
        const content = contentGiven(given);
        return {
          needed: neededLookups(content),
          convert: async (context) => convertToText(content, context),
          rehearse: async (context) => rehearse(content, context),
        };
      }
      const { content, needed } = (await run(tenant, { act: 'open', content: given })) as LookupsAnswer;
      return {
        needed,
        convert: async (context) => (await run(tenant, { act: 'convert', content, context })) as Preparation,
        rehearse: async (context) => (await run(tenant, { act: 'rehearse', content, context })) as DryRunResult,
      };
    },
    close: async () => pool?.close(),
  };
}
