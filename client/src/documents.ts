import type { MakeCall, WithSignal } from './call.ts';
import { type DownloadedFile, readVerifiedFile } from './downloaded-file.ts';
import { eachDocument } from './each-document.ts';
import type { InboundDocument, InboundListItem, OutboundDocument, OutboundListItem } from './generated/answers.ts';
import type { Calls } from './generated/calls.ts';
import { readJson } from './read-answer.ts';
import type { Settings } from './settings.ts';

type OutboundFilter = Omit<Calls['listOutbound']['query'], 'page'>;
type InboundFilter = Omit<Calls['listInbound']['query'], 'page'>;
type Found<Item> = Item & { readonly docUid: string };

/** The authority's own status of an inbound document (`X-Ujp-Status`); null where it has none. */
export type ReadInbound = InboundDocument & { readonly authorityStatus: string | null };

/** Accepted, rejected, failed (until the operator queues it again), cancelled. */
export const FINAL_STATUSES: readonly number[] = [40, 50, 55, 60];

const [FIRST_LOOK_MS, LONGEST_LOOK_MS, GROWTH] = [500, 10_000, 1.5] as const;

export function createDocuments(call: MakeCall, { pause, random }: Settings) {
  const readOutbound = (docUid: string, { signal }: WithSignal = {}) =>
    call('readOutbound', { path: { docUid }, signal });

  function eachOutbound(filter: OutboundFilter = {}, { signal }: WithSignal = {}) {
    return eachDocument<OutboundListItem>(
      {
        readPage: ({ dateTo, page }) => call('listOutbound', { query: { ...filter, ...until(dateTo), page }, signal }),
        timeOf: ({ createdAt }) => createdAt,
      },
      filter.dateTo,
    ) as AsyncGenerator<Found<OutboundListItem>, void>;
  }

  function eachInbound(filter: InboundFilter = {}, { signal }: WithSignal = {}) {
    return eachDocument<InboundListItem>(
      {
        readPage: ({ dateTo, page }) => call('listInbound', { query: { ...filter, ...until(dateTo), page }, signal }),
        timeOf: ({ receivedAt }) => receivedAt,
      },
      filter.dateTo,
    ) as AsyncGenerator<Found<InboundListItem>, void>;
  }

  /** Looks less and less often, every ten seconds in the end, until the signal is aborted. For many documents read the change feed. */
  async function waitForFinalStatus(docUid: string, { signal }: WithSignal = {}): Promise<OutboundDocument> {
    for (let pauseMs: number = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_LOOK_MS)) {
      const document = await readOutbound(docUid, { signal });
      if (FINAL_STATUSES.includes(document.status)) return document;
      await pause(pauseMs / 2 + (random() * pauseMs) / 2, signal);
    }
  }

  function readInbound(docUid: string, { signal }: WithSignal = {}): Promise<ReadInbound> {
    const read = { path: { docUid }, signal };
    return call('readInbound', read, {
      read: (answer) => ({
        ...(readJson(answer) as InboundDocument),
        authorityStatus: answer.headers.get('X-Ujp-Status'),
      }),
    });
  }

  type FileOptions<Format> = WithSignal & { readonly format?: Format };
  type OutboundFormat = NonNullable<Calls['readOutboundFile']['query']['format']>;
  type InboundFormat = NonNullable<Calls['readInboundFile']['query']['format']>;

  function downloadOutbound(docUid: string, options: FileOptions<OutboundFormat> = {}): Promise<DownloadedFile> {
    const { signal, ...query } = options;
    return call('readOutboundFile', { path: { docUid }, query, signal }, { read: readVerifiedFile });
  }

  /** The authority's signed file, which comes a moment after acceptance and is waited for. */
  function downloadContainer(docUid: string, { signal }: WithSignal = {}): Promise<DownloadedFile> {
    const container = { path: { docUid }, query: { format: 'ujp' }, signal } as const;
    return call('readOutboundFile', container, { read: readVerifiedFile, awaitsFile: true });
  }

  function downloadInbound(docUid: string, options: FileOptions<InboundFormat> = {}): Promise<DownloadedFile> {
    const { signal, ...query } = options;
    return call('readInboundFile', { path: { docUid }, query, signal }, { read: readVerifiedFile });
  }

  return {
    listOutbound: (query: Calls['listOutbound']['query'] = {}, { signal }: WithSignal = {}) =>
      call('listOutbound', { query, signal }),
    eachOutbound,
    readOutbound,
    readHistory: (docUid: string, { signal }: WithSignal = {}) =>
      call('readOutboundHistory', { path: { docUid }, signal }),
    waitForFinalStatus,
    downloadOutbound,
    downloadContainer,
    listInbound: (query: Calls['listInbound']['query'] = {}, { signal }: WithSignal = {}) =>
      call('listInbound', { query, signal }),
    eachInbound,
    readInbound,
    downloadInbound,
    /** The first acknowledgement counts; a repeated one changes nothing. */
    acknowledge: (docUid: string, { signal }: WithSignal = {}) =>
      call('acknowledgeInbound', { path: { docUid }, signal }, { isRepeatable: true }),
    /** By one of number, bytes (SHA-256) and EUID; however old the document is. */
    inquire: (query: Calls['inquireOutbound']['query'], { signal }: WithSignal = {}) =>
      call('inquireOutbound', { query, signal }),
  };
}

function until(dateTo: string | undefined): { readonly dateTo?: string } {
  return dateTo === undefined ? {} : { dateTo };
}
