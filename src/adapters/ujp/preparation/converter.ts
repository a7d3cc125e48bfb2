import type { Preparation } from '../../../application/ports/authority.ts';
import type { LargeContent, SerialisedContent } from '../../../application/ports/document-reader.ts';
import { deserialise } from '../../threads/serialised-content.ts';
import { createThreadPool, type ThreadPool } from '../../threads/thread-pool.ts';
import { transferable } from '../../threads/transferable.ts';
import type { ConversionContext } from '../conversion/conversion-context.ts';
import { type NeededLookups, neededLookups } from '../conversion/needed-lookups.ts';
import { preparation } from '../conversion/preparation.ts';
import type { ConversionAnswer, ConversionTask, Lookups } from './conversion-thread.ts';

/** A document on its way into the authority's form: to be converted when what it needs has been looked up. */
export type OpenDocument = {
  readonly needed: NeededLookups;
  readonly convert: (context: ConversionContext) => Promise<Preparation>;
};

export type Converter = {
  readonly open: (content: SerialisedContent) => Promise<OpenDocument>;
  readonly close: () => Promise<void>;
};

const TIMEOUT_MS = 30_000;

/**
 * Converts small documents at once and large ones on a thread, which is started when the first of them comes: ten thousand
 * lines take half a second, in which nobody else would be answered.
 */
export function createConverter(): Converter {
  let pool: ThreadPool<ConversionTask, ConversionAnswer> | null = null;

  async function run(serialised: LargeContent, context: ConversionContext | null): Promise<ConversionAnswer> {
    pool ??= createThreadPool({
      module: new URL('./conversion-thread.ts', import.meta.url),
      threads: 1,
      timeoutMs: TIMEOUT_MS,
    });
    const content = transferable(serialised);
    return pool.run({ content, context }, [content.buffer]);
  }

  return {
    async open(serialised) {
      if (typeof serialised === 'string') {
        const content = deserialise(serialised);
        return { needed: neededLookups(content), convert: async (context) => preparation(content, context) };
      }
      const { content, needed } = (await run(serialised, null)) as Lookups;
      return { needed, convert: async (context) => (await run(content, context)) as Preparation };
    },
    close: async () => pool?.close(),
  };
}
