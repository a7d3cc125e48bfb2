import type { AuthorityDocuments, UblConversion } from '../../../application/ports/inbound/authority-documents.ts';
import type { Timers } from '../../../application/ports/platform.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import { message } from '../../../domain/messages/message.ts';
import { createSemaphore } from '../../threads/semaphore.ts';
import { createThreadPool, type ThreadPool } from '../../threads/thread-pool.ts';
import { mayBeJson } from '../document-schema/exact-json.ts';
import type { AsUblAnswer, AsUblTask } from './as-ubl-thread.ts';
import { convertToUbl, isAuthorityDocument } from './convert-to-ubl.ts';

/** About thirty items, which take a few milliseconds. */
const SMALL_BYTES = 32_768;
/** More than ten thousand items; files that the operator imports have no greatest size. As UBL it takes four times as much. */
const MOST_BYTES = 10_485_760;
/** Processor time. The largest document takes a few seconds. */
const TIMEOUT_MS = 30_000;

export type OpenAuthorityDocuments = AuthorityDocuments & { readonly close: () => Promise<void> };

/** Reads small documents directly and large ones on a thread, which starts with the first of them. */
export function createAuthorityDocuments({ timers }: { readonly timers: Timers }): OpenAuthorityDocuments {
  const turns = createSemaphore(1);
  let pool: ThreadPool<AsUblTask, AsUblAnswer> | null = null;

  const run = (tenant: Edb, act: AsUblTask['act'], bytes: Uint8Array) =>
    turns.run(tenant, () => runOnThread(tenant, act, bytes));

  /** The thread gets a copy, which is made when it is about to read it. */
  async function runOnThread(tenant: Edb, act: AsUblTask['act'], bytes: Uint8Array): Promise<AsUblAnswer> {
    pool ??= createThreadPool({
      module: new URL('./as-ubl-thread.ts', import.meta.url),
      threads: 1,
      timers,
      timeoutMs: TIMEOUT_MS,
    });
    const copy = new Uint8Array(bytes);
    return pool.run(tenant, { act, bytes: copy }, [copy.buffer]);
  }

  return {
    async isDocument(tenant, bytes) {
      if (bytes.length <= SMALL_BYTES) return isAuthorityDocument(bytes);
      return bytes.length <= MOST_BYTES && mayBeJson(bytes) && (await run(tenant, 'recognise', bytes)) === true;
    },
    async toUbl(tenant, bytes) {
      if (bytes.length > MOST_BYTES) {
        return { outcome: 'refused', reason: message('original-too-large', { bytes: MOST_BYTES }) };
      }
      if (bytes.length <= SMALL_BYTES || !mayBeJson(bytes)) return convertToUbl(bytes);
      return (await run(tenant, 'convert', bytes)) as UblConversion;
    },
    close: async () => pool?.close(),
  };
}
