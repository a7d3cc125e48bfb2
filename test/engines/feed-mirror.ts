import assert from 'node:assert/strict';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import type { DocumentChange, InboundChange, OutboundChange } from '../../src/domain/documents/document-change.ts';
import { ANY_INBOUND, ANY_OUTBOUND } from './samples.ts';

type Mirrored = Readonly<Record<string, unknown>>;

/** What a reader knows that sees nothing but the feed of one tenant. */
export type FeedMirror = {
  /** Reads on to the end of the log; every entry must have the number after the last one. */
  readonly readOn: (storage: Pick<Storage, 'changes'>, pageSize?: number) => Promise<void>;
  /** What is mirrored must be what the stores say of every document. */
  readonly assertTrue: (storage: Storage) => Promise<void>;
  readonly entries: () => readonly DocumentChange[];
};

const PAGE_SIZE = 7;
/** A later rejection by the buyer is a row of the history, but no failure of the document. */
const ACCEPTED = 40;

export function feedMirror(tenant: Edb): FeedMirror {
  const entries: DocumentChange[] = [];
  const documents = new Map<DocUid, Mirrored>();
  let next: number | null = null;

  function apply(change: DocumentChange): void {
    const known = documents.get(change.docUid) ?? {};
    const news = change.direction === 'outbound' ? outboundNews(known, change) : inboundNews(change);
    documents.set(change.docUid, { ...known, ...news });
  }

  return {
    entries: () => entries,
    async readOn({ changes }, pageSize = PAGE_SIZE) {
      for (;;) {
        const page = await changes.read(tenant, next, pageSize);
        for (const change of page) {
          if (next !== null) assert.equal(change.number, next, 'without a gap or a repeat');
          next = change.number + 1;
          entries.push(change);
          apply(change);
        }
        if (page.length < pageSize) return;
      }
    },
    async assertTrue(storage) {
      const everything = { page: 1, pageSize: 500 };
      const sent = await storage.outbound.list(tenant, ANY_OUTBOUND, everything);
      const received = await storage.inbound.list(tenant, ANY_INBOUND, everything);
      assert.deepEqual(
        [...documents.keys()].toSorted(),
        [...sent.items, ...received.items].map(({ docUid }) => docUid).toSorted(),
      );
      for (const { docUid } of sent.items) {
        const {
          failureMessage,
          failureSentences,
          software,
          docUid: _,
          ...stored
        } = (await storage.outbound.find(tenant, docUid)) ?? assert.fail();
        const history = await storage.outbound.history(tenant, docUid);
        const hasContainer = (await storage.outbound.file(tenant, docUid, 'ujp')) !== null;
        assert.deepEqual(documents.get(docUid), { ...stored, history, hasContainer });
      }
      for (const { docUid } of received.items) {
        const { docUid: _, ...stored } = (await storage.inbound.find(tenant, docUid)) ?? assert.fail();
        assert.deepEqual(documents.get(docUid), stored);
      }
    },
  };
}

function outboundNews(known: Mirrored, change: OutboundChange): Mirrored {
  const { kind, status, ujp, warnings, facts, at } = change;
  if (kind === 'container') return { hasContainer: true };
  if (kind === 'warnings') return { warnings };
  if (kind === 'authority-status') return { ujp };
  const row = { status, at, failureCode: change.failureCode };
  const history = [...((known['history'] as unknown[] | undefined) ?? []), row];
  const { documentKind, ...rest } = facts;
  const failureCode = status === ACCEPTED ? null : change.failureCode;
  return {
    hasContainer: false,
    warnings: [],
    ...known,
    ...rest,
    kind: documentKind,
    status,
    ujp,
    failureCode,
    history,
  };
}

function inboundNews({ kind, at, authorityStatus, facts }: InboundChange): Mirrored {
  if (kind === 'acknowledged') return { ackedAt: at };
  return kind === 'authority-status' ? { authorityStatus } : { ackedAt: null, ...facts, authorityStatus };
}
