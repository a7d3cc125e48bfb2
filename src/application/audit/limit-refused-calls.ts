import { callerNetwork } from '../../domain/audit/caller-network.ts';
import type { Clock } from '../ports/platform.ts';
import type { AuditEntry } from '../ports/storage/audit-store.ts';

type Needs = { readonly clock: Clock; readonly newId: () => string };

/**
 * Keeps calls that no rate limit holds back from filling the trail: those without a usable key, and those to which none is needed,
 * such as to unknown paths. Beyond a rate they are counted instead of kept one by one.
 */
export type RefusedCallLimit = {
  /** Whether the entry is kept by itself; otherwise its call is counted. An admitted call was within the rate limit of its key. */
  readonly keeps: (entry: AuditEntry, isAdmitted: boolean) => boolean;
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
/** A key that is tried from very many addresses makes so many entries a minute for each kind of answer, and one for the rest. */
export const NETWORKS_PER_KEY = 10;
export const OTHER_ADDRESSES = 'other addresses';
/** Stands for any method and any path in an entry of counted calls. */
const ANY = '*';

/** The calls of one network without a recognised key, or of one key. */
type Source = {
  kept: number;
  readonly counts: Map<string, { readonly entry: AuditEntry; calls: number }>;
  /** The networks that entries of counted calls name, so many at most. */
  readonly networks: Set<string>;
  readonly maxNetworks: number;
};

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

  function sourceOfKey(keyId: string | null): Source {
    const name = `key ${keyId}`;
    return sources.get(name) ?? addSource(name, newSource(0, NETWORKS_PER_KEY));
  }

  function sourceOfNetwork(network: string): Source {
    const known = sources.get(network);
    if (known !== undefined) return known;
    if (networks >= NETWORKS_AT_ONCE) {
      return sources.get(OTHER_ADDRESSES) ?? addSource(OTHER_ADDRESSES, newSource(CALLS_PER_NETWORK, 0));
    }
    networks += 1;
    return addSource(network, newSource(0, 1));
  }

  function addSource(name: string, source: Source): Source {
    sources.set(name, source);
    return source;
  }

  function take(): readonly AuditEntry[] {
    const taken = finished;
    finished = [];
    return taken;
  }

  return {
    keeps(entry, isAdmitted) {
      if (isAdmitted) return true;
      beginMinute();
      const isRecognised = entry.tenant !== null;
      const source = isRecognised ? sourceOfKey(entry.keyId) : sourceOfNetwork(callerNetwork(entry.address));
      if (source.kept < CALLS_PER_NETWORK && (isRecognised || keptOfAll < CALLS_OF_ALL)) {
        source.kept += 1;
        if (!isRecognised) keptOfAll += 1;
        return true;
      }
      count(source, entry, { at: minute * MINUTE_MS, newId });
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

function addressNamed({ networks, maxNetworks }: Source, network: string): string {
  if (networks.size < maxNetworks) networks.add(network);
  return networks.has(network) ? network : OTHER_ADDRESSES;
}

function newSource(kept: number, maxNetworks: number): Source {
  return { kept, counts: new Map(), networks: new Set(), maxNetworks };
}

function count(source: Source, call: AuditEntry, { at, newId }: { at: number; newId: Needs['newId'] }): void {
  const address = addressNamed(source, callerNetwork(call.address));
  const kind = `${call.httpStatus} ${call.code} ${address}`;
  const counted = source.counts.get(kind);
  if (counted !== undefined) {
    counted.calls += 1;
    return;
  }
  const any = { softwareId: null, method: ANY, path: ANY, docUid: null, durationMs: 0 };
  source.counts.set(kind, { entry: { ...call, ...any, at, address, requestId: newId() }, calls: 1 });
}
