import { AUDIT_CHAINS, type AuditChain, type AuditSeal } from '../../domain/audit/audit-seal.ts';
import type { Timers } from '../ports/platform.ts';
import type { AuditSealStore, FoundEntry } from '../ports/storage/audit-seal-store.ts';
import { adoptionWindow } from './adoption-window.ts';
import { type ChainCheckNeeds, createChainCheck } from './chain-check.ts';
import { changed, compareBlock, inserted, stray, type TrailBreak, withoutSeal } from './compare-block.ts';
import { type ChainHead, headOf } from './seal-audit-trail.ts';

export type TrailCheck = {
  readonly isIntact: boolean;
  readonly break: TrailBreak | null;
  readonly entries: number;
  readonly blocks: number;
  /** Entries that are written but not sealed yet. */
  readonly waiting: number;
  /** Entries without a digest that wait and are taken over as they are found; null when none would be. */
  readonly adoption: { readonly until: number; readonly entries: number } | null;
  /** Entries that were sealed long after the time they name, or wait so long after it. */
  readonly late: { readonly entries: number; readonly first: string } | null;
  readonly chains: readonly (ChainHead & { readonly expired: number })[];
};

export type VerifyAuditTrail = (
  exported: readonly ChainHead[],
  progress: (done: number, total: number) => void,
) => Promise<TrailCheck>;

/** A block has up to a thousand entries; so many seals must fit into memory. */
const SEALS_AT_ONCE = 20;
/** Some tens of milliseconds of work, for which all else in the process waits. */
const ENTRIES_AT_ONCE = 1_000;

type Needs = ChainCheckNeeds & {
  readonly seals: AuditSealStore;
  /** Between two portions: a trail of years takes minutes, and the service has other things to do meanwhile. */
  readonly nextTurn: Timers['nextTurn'];
};

/** No call takes so long to be on record unless the database was away. */
const LATE_MS = 3_600_000;

type Walk = {
  entries: number;
  blocks: number;
  waiting: number;
  adopted: number;
  late: { readonly entries: number; readonly first: string } | null;
};

/** Compares every entry with its seal and every seal with the one before, up to the first break. */
export function verifyAuditTrail({ seals, nextTurn, ...needs }: Needs): VerifyAuditTrail {
  return (exported, progress) =>
    seals.snapshot(async (frozen) => {
      const walk: Walk = { entries: 0, blocks: 0, waiting: 0, adopted: 0, late: null };
      const adoption = await adoptionWindow(frozen);
      const outside = await frozen.stray();
      const sealed = await sealedEntries(frozen);
      const chains = createChainCheck(needs, exported);
      const report = () => {
        const done = walk.entries + walk.waiting;
        progress(done, Math.max(sealed, done));
        return nextTurn();
      };
      const found =
        (outside === null ? null : stray(outside)) ??
        adoption?.break ??
        (await walkBlocks(frozen, chains.next, walk, report)) ??
        (await walkWaiting(frozen, { walk, report, adoptUntil: adoption?.until ?? null, now: needs.clock.now() })) ??
        chains.end();
      await report();
      const { adopted, ...counts } = walk;
      return {
        isIntact: found === null,
        break: found,
        ...counts,
        adoption: adoption === null ? null : { until: adoption.until, entries: adopted },
        chains: await endsOf(frozen, chains.expiredEntries),
      };
    });
}

async function walkBlocks(
  seals: AuditSealStore,
  checkSeal: CheckSeal,
  walk: Walk,
  report: () => Promise<void>,
): Promise<TrailBreak | null> {
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const batch = await seals.seals(after, SEALS_AT_ONCE);
    for (const portion of portionsOf(batch)) {
      const upTo = portion.at(-1)?.block ?? Number.MAX_SAFE_INTEGER;
      const found = comparePortion(portion, await seals.entriesWithin(after, upTo), checkSeal, walk);
      if (found !== null || batch.length === 0) return found;
      after = upTo;
      await report();
    }
  }
}

/** Short blocks are read together. Behind the last seal is a portion without any. */
function portionsOf(batch: readonly AuditSeal[]): readonly (readonly AuditSeal[])[] {
  const portions: AuditSeal[][] = [[]];
  let entries = 0;
  for (const seal of batch) {
    entries += seal.entries.length;
    const last = portions.at(-1);
    if (last === undefined || (last.length > 0 && entries > ENTRIES_AT_ONCE)) {
      portions.push([seal]);
      entries = seal.entries.length;
    } else last.push(seal);
  }
  return portions;
}

type CheckSeal = (seal: AuditSeal) => TrailBreak | null;

function comparePortion(
  portion: readonly AuditSeal[],
  found: readonly FoundEntry[],
  checkSeal: CheckSeal,
  walk: Walk,
): TrailBreak | null {
  const entries = Map.groupBy(found, ({ block }) => block);
  for (const seal of portion) {
    const inBlock = entries.get(seal.block) ?? [];
    const difference = checkSeal(seal) ?? orphanBefore(entries, seal.block) ?? compareBlock(seal, inBlock);
    if (difference !== null) return difference;
    entries.delete(seal.block);
    walk.blocks += 1;
    walk.entries += inBlock.length;
    countLate(walk, inBlock, seal.sealedAt);
  }
  return orphanBefore(entries, Number.POSITIVE_INFINITY);
}

/** The blocks come in ascending order, so what is left below the present one has no seal. */
function orphanBefore(entries: ReadonlyMap<number | null, readonly FoundEntry[]>, block: number): TrailBreak | null {
  const [first] = entries;
  const entry = first?.[1][0];
  return entry !== undefined && (entry.block ?? 0) < block ? withoutSeal(entry) : null;
}

/** To date an entry back is the one way to put it into the past without breaking a seal. */
function countLate(walk: Walk, entries: readonly FoundEntry[], recordedAt: number): void {
  for (const { id, at } of entries) {
    if (recordedAt - at <= LATE_MS) continue;
    walk.late = { entries: (walk.late?.entries ?? 0) + 1, first: walk.late?.first ?? id };
  }
}

type WaitingNeeds = {
  readonly walk: Walk;
  readonly report: () => Promise<void>;
  readonly adoptUntil: number | null;
  readonly now: number;
};

async function walkWaiting(
  seals: AuditSealStore,
  { walk, report, adoptUntil, now }: WaitingNeeds,
): Promise<TrailBreak | null> {
  let last: FoundEntry | null = null;
  for (;;) {
    const batch: readonly FoundEntry[] = await seals.waiting(last, ENTRIES_AT_ONCE);
    const isAdopted = ({ at, written }: FoundEntry) => written === null && adoptUntil !== null && at <= adoptUntil;
    const wrong = batch.find((entry) => entry.written !== entry.digest && !isAdopted(entry));
    if (wrong !== undefined) return wrong.written === null ? inserted(wrong) : changed(wrong);
    walk.adopted += batch.filter(isAdopted).length;
    walk.waiting += batch.length;
    countLate(walk, batch, now);
    last = batch.at(-1) ?? null;
    if (last === null) return null;
    await report();
  }
}

/** As the seals count them, for the display: to count a large table would exceed the time limit of a statement. */
async function sealedEntries(seals: AuditSealStore): Promise<number> {
  let sealed = 0;
  for (const chain of AUDIT_CHAINS) {
    const oldest = await seals.oldestOf(chain);
    const last = await seals.lastOf(chain);
    if (oldest !== null && last !== null) sealed += last.total - oldest.total + oldest.entries.length;
  }
  return sealed;
}

async function endsOf(seals: AuditSealStore, expiredEntries: (chain: AuditChain) => number) {
  const ends = await Promise.all(AUDIT_CHAINS.map((chain) => seals.lastOf(chain)));
  return ends.filter((seal) => seal !== null).map((seal) => ({ ...headOf(seal), expired: expiredEntries(seal.chain) }));
}
