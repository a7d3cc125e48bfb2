import type { Tenant } from '../../domain/accounts/tenant.ts';
import { docUidTime, isDocUid } from '../../domain/documents/doc-uid.ts';
import { skopjeDay } from '../../domain/values/skopje-day.ts';
import { type Arrival, type Authority, AuthorityCallError, type CallErrorKind } from '../ports/authority.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import type { NewInbound } from '../ports/storage/inbound-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { FileToKeep } from '../ports/stored-file.ts';

const DAY_MS = 86_400_000;
/** The authority gives at most a month at a time, and February has 28 days. */
const WINDOW_DAYS = 27;
/** How far back older windows are looked through, one each time: documents may be registered long after their date. */
const OLDER_WINDOWS = 13;
const AT_A_TIME = 20;
/** So many pictures in a row that cannot be had just now. */
const OUTAGE = 2;

type Run = { collected: number; putOffInRow: number };

type Needs = {
  readonly storage: Storage;
  readonly authority: Pick<Authority, 'arrivals' | 'arrived' | 'arrivedPdf'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
};

/** Takes and returns which of the older windows was looked through last. */
export type CollectInbound = (
  tenant: Tenant,
  lastWindow: number,
) => Promise<{ readonly collected: number; readonly lastWindow: number }>;

/**
 * Collects what the authority holds for the tenant as buyer. Every time the last weeks are looked through and one of the
 * older windows, a year in all, whose days overlap; what is known already is known by its EUID.
 */
export function collectInbound({ storage, authority, hasher, clock }: Needs): CollectInbound {
  return async (tenant, lastWindow) => {
    const older = (lastWindow % OLDER_WINDOWS) + 1;
    const run: Run = { collected: 0, putOffInRow: 0 };
    await collectWindow(tenant, 0, run);
    await collectWindow(tenant, older, run);
    return { collected: run.collected, lastWindow: older };
  };

  async function collectWindow(tenant: Tenant, back: number, run: Run): Promise<void> {
    const now = clock.now();
    // Tomorrow belongs to the newest window: its documents may be dated by a clock ahead of ours.
    const from = skopjeDay(now - (back + 1) * (WINDOW_DAYS - 1) * DAY_MS);
    const to = skopjeDay(now - back * (WINDOW_DAYS - 1) * DAY_MS + DAY_MS);
    const held = await authority.arrivals(tenant, from, to);
    const known = await storage.inbound.known(tenant.edb, held.map(sameAs));
    const missing = held.filter((euid) => !known.has(sameAs(euid)));
    for (let start = 0; start < missing.length; start += AT_A_TIME) {
      await collectAll(tenant, missing.slice(start, start + AT_A_TIME), run);
    }
  }

  /** What cannot be given together, because it is too much or one of it is broken, is asked for in ever smaller parts. */
  async function collectAll(tenant: Tenant, euids: readonly string[], run: Run): Promise<void> {
    const arrivals = await authority.arrived(tenant, euids).catch((error: unknown) => {
      if (!(error instanceof AuthorityCallError) || !MAY_BE_THE_CONTENT.has(error.kind)) throw error;
      if (euids.length === 1) putOff(error, run);
      return null;
    });
    if (arrivals !== null) {
      for (const arrival of arrivals) await takeOrPutOff(tenant, arrival, run);
    } else if (euids.length > 1) {
      const half = Math.ceil(euids.length / 2);
      await collectAll(tenant, euids.slice(0, half), run);
      await collectAll(tenant, euids.slice(half), run);
    }
  }

  /**
   * One that waits for its picture does not keep the others back; when nobody's can be had, that is an outage. After a day
   * a document is worth more than its picture.
   */
  async function takeOrPutOff(tenant: Tenant, arrival: Arrival, run: Run): Promise<void> {
    try {
      run.collected += (await take(tenant, arrival, await pdfOf(tenant, arrival.euid))) ? 1 : 0;
      run.putOffInRow = 0;
    } catch (error) {
      putOff(error, run);
      if (isOld(arrival.euid)) run.collected += (await take(tenant, arrival, null)) ? 1 : 0;
    }
  }

  function isOld(euid: string): boolean {
    return !isDocUid(euid.toLowerCase()) || clock.now() - docUidTime(euid) > DAY_MS;
  }

  async function take(tenant: Tenant, { euid, payload, facts }: Arrival, pdf: Uint8Array | null): Promise<boolean> {
    const bytes = new TextEncoder().encode(payload);
    const arrival: NewInbound = {
      sameAs: sameAs(euid),
      original: await ahead(bytes),
      ubl: null,
      pdf: pdf === null ? null : await ahead(pdf),
      fileName: `${euid}.json`,
      ...facts,
    };
    const { isNew } = await storage.transaction((tx) => tx.inbound.add(tenant.edb, arrival, clock.now()));
    return isNew;

    function ahead(file: Uint8Array): Promise<FileToKeep> {
      return storage.storeAhead(tenant.edb, { bytes: file, sha256: hasher.sha256(file) });
    }
  }

  /** A picture that there is none of keeps no document back; for one that may be had later the document waits. */
  async function pdfOf(tenant: Tenant, euid: string): Promise<Uint8Array | null> {
    try {
      return await authority.arrivedPdf(tenant, euid);
    } catch (error) {
      if (!(error instanceof AuthorityCallError) || WORTH_WAITING.has(error.kind)) throw error;
      return null;
    }
  }
}

/** Two in a row are no peculiarity of a document any more. */
function putOff(error: unknown, run: Run): void {
  run.putOffInRow += 1;
  if (!(error instanceof AuthorityCallError) || run.putOffInRow >= OUTAGE) throw error;
}

/** Faults that one document can cause for all that are asked for together with it. */
const MAY_BE_THE_CONTENT: ReadonlySet<CallErrorKind> = new Set(['error', 'refused', 'timeout']);

const WORTH_WAITING: ReadonlySet<CallErrorKind> = new Set(['unreachable', 'timeout', 'busy']);

function sameAs(euid: string): string {
  return `euid:${euid.toLowerCase()}`;
}
