import type { Tenant } from '../../domain/accounts/tenant.ts';
import { euidTime } from '../../domain/documents/euid.ts';
import { skopjeDay } from '../../domain/values/skopje-day.ts';
import { type Arrival, type Authority, AuthorityCallError, type CallErrorKind } from '../ports/authority.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import type { NewInbound } from '../ports/storage/inbound-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { FileToStore } from '../ports/stored-file.ts';

const DAY_MS = 86_400_000;
/** The authority lists at most a month at a time, and February has 28 days. */
const WINDOW_DAYS = 27;
/** Number of older windows, about a year; each run searches one: documents may be registered long after their date. */
const OLDER_WINDOWS = 13;
const BATCH_SIZE = 20;
/** This many postponed documents in a row are an outage of the authority, not a peculiarity of one document. */
const OUTAGE_THRESHOLD = 2;

type Run = { collected: number; postponedInRow: number };

type Needs = {
  readonly storage: Storage;
  readonly authority: Pick<Authority, 'arrivals' | 'arrived' | 'arrivedPdf'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
};

/** Takes and returns the number of the older window that was searched last. */
export type CollectInbound = (
  tenant: Tenant,
  lastWindow: number,
) => Promise<{ readonly collected: number; readonly lastWindow: number }>;

/**
 * Collects the documents that the authority holds for the tenant as buyer. Each run searches the last weeks and one older
 * window. Windows overlap by a day; documents that are stored already are recognised by their EUID.
 */
export function collectInbound({ storage, authority, hasher, clock }: Needs): CollectInbound {
  return async (tenant, lastWindow) => {
    const older = (lastWindow % OLDER_WINDOWS) + 1;
    const run: Run = { collected: 0, postponedInRow: 0 };
    await collectWindow(tenant, 0, run);
    await collectWindow(tenant, older, run);
    return { collected: run.collected, lastWindow: older };
  };

  async function collectWindow(tenant: Tenant, back: number, run: Run): Promise<void> {
    const now = clock.now();
    // The newest window includes tomorrow: documents may be dated by a clock that is ahead of ours.
    const from = skopjeDay(now - (back + 1) * (WINDOW_DAYS - 1) * DAY_MS);
    const to = skopjeDay(now - back * (WINDOW_DAYS - 1) * DAY_MS + DAY_MS);
    const held = await authority.arrivals(tenant, from, to);
    const known = await storage.inbound.known(tenant.edb, held.map(deduplicationKey));
    const missing = held.filter((euid) => !known.has(deduplicationKey(euid)));
    for (let start = 0; start < missing.length; start += BATCH_SIZE) {
      await collectBatch(tenant, missing.slice(start, start + BATCH_SIZE), run);
    }
  }

  /** A batch that fails, because it is too large or the authority fails on one document, is split in halves and asked for again. */
  async function collectBatch(tenant: Tenant, euids: readonly string[], run: Run): Promise<void> {
    const arrivals = await authority.arrived(tenant, euids).catch((error: unknown) => {
      if (!(error instanceof AuthorityCallError) || !MAY_BE_ONE_DOCUMENT.has(error.kind)) throw error;
      if (euids.length === 1) postpone(error, run);
      return null;
    });
    if (arrivals !== null) {
      for (const arrival of arrivals) await storeOrPostpone(tenant, arrival, run);
    } else if (euids.length > 1) {
      const half = Math.ceil(euids.length / 2);
      await collectBatch(tenant, euids.slice(0, half), run);
      await collectBatch(tenant, euids.slice(half), run);
    }
  }

  /**
   * A document whose PDF is not available yet is postponed to a later run and does not delay the others. After a day it is
   * stored without its PDF.
   */
  async function storeOrPostpone(tenant: Tenant, arrival: Arrival, run: Run): Promise<void> {
    try {
      run.collected += (await store(tenant, arrival, await pdfOf(tenant, arrival.euid))) ? 1 : 0;
      run.postponedInRow = 0;
    } catch (error) {
      postpone(error, run);
      if (isOld(arrival.euid)) run.collected += (await store(tenant, arrival, null)) ? 1 : 0;
    }
  }

  function isOld(euid: string): boolean {
    const receivedAt = euidTime(euid);
    return receivedAt === null || clock.now() - receivedAt > DAY_MS;
  }

  async function store(tenant: Tenant, { euid, payload, facts }: Arrival, pdf: Uint8Array | null): Promise<boolean> {
    const bytes = new TextEncoder().encode(payload);
    const arrival: NewInbound = {
      deduplicationKey: deduplicationKey(euid),
      original: await storeLargeFile(bytes),
      ubl: null,
      pdf: pdf === null ? null : await storeLargeFile(pdf),
      fileName: `${euid}.json`,
      ...facts,
    };
    const { isNew } = await storage.transaction((tx) => tx.inbound.add(tenant.edb, arrival, clock.now()));
    return isNew;

    function storeLargeFile(file: Uint8Array): Promise<FileToStore> {
      return storage.storeLargeFile(tenant.edb, { bytes: file, sha256: hasher.sha256(file) });
    }
  }

  /** Null when the authority has no PDF. Throws when it may be available later: then the document waits for it. */
  async function pdfOf(tenant: Tenant, euid: string): Promise<Uint8Array | null> {
    try {
      return await authority.arrivedPdf(tenant, euid);
    } catch (error) {
      if (!(error instanceof AuthorityCallError) || MAY_PASS.has(error.kind)) throw error;
      return null;
    }
  }
}

function postpone(error: unknown, run: Run): void {
  run.postponedInRow += 1;
  if (!(error instanceof AuthorityCallError) || run.postponedInRow >= OUTAGE_THRESHOLD) throw error;
}

/** Call errors that a single document can cause for the whole batch. */
const MAY_BE_ONE_DOCUMENT: ReadonlySet<CallErrorKind> = new Set(['error', 'refused', 'timeout']);

const MAY_PASS: ReadonlySet<CallErrorKind> = new Set(['unreachable', 'timeout', 'busy']);

function deduplicationKey(euid: string): string {
  return `euid:${euid.toLowerCase()}`;
}
