import { daysBetween } from '../calendar.ts';
import type {
  NumberedChange,
  PurchaseVatTotal,
  RegisteredDocument,
  Registration,
  StatusChange,
  StatusCode,
} from './registered-document.ts';

type Side = 'seller' | 'buyer';

/** Everything ever registered, found by its identifiers and by its parties. */
export type Documents = {
  readonly find: (euid: string) => RegisteredDocument | undefined;
  readonly hasDocId: (seller: string, docId: string) => boolean;
  /** By the documents' own dates, both ends included. */
  readonly dated: (side: Side, edb: string, dateFrom: string, dateTo: string) => readonly RegisteredDocument[];
  readonly changes: (side: Side, edb: string) => readonly NumberedChange[];
  readonly all: () => IterableIterator<RegisteredDocument>;
  readonly add: (registration: Registration) => void;
  readonly changeStatus: (change: StatusChange) => void;
  readonly allocateVat: (euid: string, totals: readonly PurchaseVatTotal[]) => void;
};

type Kept = Registration & {
  status: StatusCode;
  readonly history: NumberedChange[];
  purchaseVatTotals: readonly PurchaseVatTotal[];
};

export function createDocuments(): Documents {
  const byEuid = new Map<string, Kept>();
  const docIds = new Set<string>();
  const byDay = new Map<string, Kept[]>();
  const changesOf = new Map<string, NumberedChange[]>();
  let changeCount = 0;

  const sidesOf = (kept: Kept) => {
    const sides = [['seller', kept.seller] as const];
    return kept.buyer === null ? sides : [...sides, ['buyer', kept.buyer] as const];
  };
  const keptOf = (euid: string) => {
    const kept = byEuid.get(euid);
    if (kept === undefined) throw new Error(`No document ${euid} is registered.`);
    return kept;
  };
  const changeStatus = (change: StatusChange) => {
    const kept = keptOf(change.euid);
    changeCount += 1;
    const numbered = { ...change, id: changeCount, version: kept.history.length };
    kept.status = change.to;
    kept.history.push(numbered);
    for (const [side, edb] of sidesOf(kept)) push(changesOf, `${side} ${edb}`, numbered);
  };

  return {
    find: (euid) => byEuid.get(euid),
    hasDocId: (seller, docId) => docIds.has(`${seller} ${docId}`),
    dated: (side, edb, dateFrom, dateTo) =>
      daysBetween(dateFrom, dateTo).flatMap((day) => byDay.get(`${side} ${edb} ${day}`) ?? []),
    changes: (side, edb) => changesOf.get(`${side} ${edb}`) ?? [],
    all: () => byEuid.values(),
    add: (registration) => {
      const { euid, seller, docId, docDate, firstStatus, registeredAt, userId } = registration;
      const kept: Kept = { ...registration, status: '00', history: [], purchaseVatTotals: [] };
      byEuid.set(euid, kept);
      docIds.add(`${seller} ${docId}`);
      for (const [side, edb] of sidesOf(kept)) push(byDay, `${side} ${edb} ${docDate}`, kept);
      changeStatus({ euid, from: '00', to: firstStatus, at: registeredAt, userId, comment: null });
    },
    changeStatus,
    allocateVat: (euid, totals) => {
      keptOf(euid).purchaseVatTotals = totals;
    },
  };
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
