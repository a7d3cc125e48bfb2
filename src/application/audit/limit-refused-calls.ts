import { callerNetwork } from '../../domain/audit/caller-network.ts';
import type { ErrorCode } from '../errors/problem-catalogue.ts';
import type { Clock } from '../ports/platform.ts';
import type { AuditEntry } from '../ports/storage/audit-store.ts';

type Needs = { readonly clock: Clock; readonly newId: () => string };

/** Keeps callers without a usable key from filling the trail: beyond a rate their calls are counted instead of kept one by one. */
export type RefusedCallLimit = {
  /** Whether the entry is kept by itself; otherwise its call is counted. */
  readonly admits: (entry: AuditEntry) => boolean;
  /** An entry for each kind of calls that were counted, once their minute is over. */
  readonly takeCounts: () => readonly AuditEntry[];
  /** The same before the minute is over, for the end of the process. */
  readonly takeAllCounts: () => readonly AuditEntry[];
};

const MINUTE_MS = 60_000;
export const CALLS_PER_NETWORK = 30;
/** Of all unrecognised callers together, in a minute: 300 entries are about 100 KB. */
const CALLS_OF_ALL = 300;
/** Memory and entries stay bounded when calls come from very many addresses. */
export const NETWORKS_AT_ONCE = 100;
export const OTHER_ADDRESSES = 'other addresses';
/** Stands for any method and any path in an entry of counted calls. */
const ANY = '*';

/** The key was recognised, and refused before the call was let in. */
const KEY_REFUSED: ReadonlySet<ErrorCode | null> = new Set([
  'ERR-1002',
  'ERR-1003',
  'ERR-1004',
  'ERR-1005',
  'ERR-1006',
]);

type Source = { kept: number; readonly counts: Map<string, { readonly entry: AuditEntry; calls: number }> };

export function limitRefusedCalls({ clock, newId }: Needs): RefusedCallLimit {
  let minute = 0;
  let sources = new Map<string, Source>();
  let networks = 0;
  let keptOfAll = 0;
  let finished: AuditEntry[] = [];

  function endMinute(): void {
    for (const { counts } of sources.values()) {
      for (const { entry, calls } of counts.values()) finished.push({ ...entry, calls });
    }
    sources = new Map();
    networks = 0;
    keptOfAll = 0;
  }

  function beginMinute(): void {
    const current = Math.floor(clock.now() / MINUTE_MS);
    if (current !== minute) endMinute();
    minute = current;
  }

  function sourceOf(name: string, isNetwork: boolean): Source {
    const known = sources.get(name);
    if (known !== undefined) return known;
    if (isNetwork && networks >= NETWORKS_AT_ONCE && name !== OTHER_ADDRESSES) return sourceOf(OTHER_ADDRESSES, true);
    const source: Source = { kept: name === OTHER_ADDRESSES ? CALLS_PER_NETWORK : 0, counts: new Map() };
    sources.set(name, source);
    if (isNetwork) networks += 1;
    return source;
  }

  function count(source: Source, call: AuditEntry, address: string): void {
    const kind = `${call.httpStatus} ${call.code}`;
    const counted = source.counts.get(kind);
    if (counted !== undefined) {
      counted.calls += 1;
      return;
    }
    const any = { softwareId: null, method: ANY, path: ANY, docUid: null, durationMs: 0 };
    const entry = { ...call, ...any, at: minute * MINUTE_MS, address, requestId: newId() };
    source.counts.set(kind, { entry, calls: 1 });
  }

  function take(): readonly AuditEntry[] {
    const taken = finished;
    finished = [];
    return taken;
  }

  return {
    admits(entry) {
      const isRecognised = entry.tenant !== null;
      if (isRecognised && !KEY_REFUSED.has(entry.code)) return true;
      beginMinute();
      const network = callerNetwork(entry.address);
      const source = sourceOf(isRecognised ? `key ${entry.keyId}` : network, !isRecognised);
      if (source.kept < CALLS_PER_NETWORK && (isRecognised || keptOfAll < CALLS_OF_ALL)) {
        source.kept += 1;
        if (!isRecognised) keptOfAll += 1;
        return true;
      }
      count(source, entry, source === sources.get(OTHER_ADDRESSES) ? OTHER_ADDRESSES : network);
      return false;
    },
    takeCounts() {
      beginMinute();
      return take();
    },
    takeAllCounts() {
      endMinute();
      return take();
    },
  };
}
