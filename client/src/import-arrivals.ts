import type { WithSignal } from './call.ts';
import type { createDocuments, ReadInbound } from './documents.ts';
import type { DownloadedFile } from './downloaded-file.ts';
import type { InboundListItem } from './generated/answers.ts';

type Documents = ReturnType<typeof createDocuments>;

/** A document that has arrived and is not acknowledged. */
export type Arrival = InboundListItem & {
  readonly docUid: string;
  readonly read: () => Promise<ReadInbound>;
  /** Verified; `original` unless another format is asked for. */
  readonly download: (format?: 'original' | 'ubl' | 'pdf') => Promise<DownloadedFile>;
};

export type ImportOptions = WithSignal & {
  /**
   * Whether the document was imported by an earlier run that ended before its acknowledgement. The answer must come from where the
   * handler's transaction has put it; without this a handler must be able to take the same document twice.
   */
  readonly isImported?: (docUid: string) => boolean | Promise<boolean>;
  /** What is done about a handler that failed; the others are imported all the same. Without this the error ends the import. */
  readonly onFailure?: (failure: unknown, arrival: Arrival) => void | Promise<void>;
};

export type Imported = {
  readonly imported: number;
  /** Already imported by an earlier run: acknowledged alone. */
  readonly acknowledged: number;
  readonly failed: number;
};

/** Each document is acknowledged when its handler has succeeded; one whose handler failed comes again with the next import. */
export function createImport({ eachInbound, readInbound, downloadInbound, acknowledge }: Documents) {
  return async (
    handle: (arrival: Arrival) => void | Promise<void>,
    { isImported = () => false, onFailure, signal }: ImportOptions = {},
  ): Promise<Imported> => {
    const count = { imported: 0, acknowledged: 0, failed: 0 };
    for await (const item of eachInbound({ onlyNotImported: true }, { signal })) {
      const { docUid } = item;
      const arrival: Arrival = {
        ...item,
        read: () => readInbound(docUid, { signal }),
        download: (format) => downloadInbound(docUid, { signal, ...(format === undefined ? {} : { format }) }),
      };
      const wasImported = await isImported(docUid);
      try {
        if (!wasImported) await handle(arrival);
      } catch (failure) {
        signal?.throwIfAborted();
        if (onFailure === undefined) throw failure;
        count.failed += 1;
        await onFailure(failure, arrival);
        continue;
      }
      await acknowledge(docUid, { signal });
      count[wasImported ? 'acknowledged' : 'imported'] += 1;
    }
    return count;
  };
}
