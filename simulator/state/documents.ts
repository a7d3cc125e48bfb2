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

/** All registered documents, found by their identifiers and by their parties. */
export type Documents = {
  readonly find: (euid: string) => RegisteredDocument | undefined;
  readonly hasDocId: (seller: string, docId: string) => boolean;
  /** By the dates of the documents, first and last day included. */
  readonly dated: (side: Side, edb: string, dateFrom: string, dateTo: string) => readonly RegisteredDocument[];
  readonly changes: (side: Side, edb: string) => readonly NumberedChange[];
  readonly all: () => IterableIterator<RegisteredDocument>;
  readonly add: (registration: Registration) => void;
  readonly changeStatus: (change: StatusChange) => void;
  readonly allocateVat: (euid: string, totals: readonly PurchaseVatTotal[]) => void;
};

type StoredDocument = Registration & {
  status: StatusCode;
  readonly history: NumberedChange[];
  purchaseVatTotals: readonly PurchaseVatTotal[];
};

export function createDocuments(): Documents {
  const byEuid = new Map<string, StoredDocument>();
  const docIds = new Set<string>();
  const byDay = new Map<string, StoredDocument[]>();
  const changesOf = new Map<string, NumberedChange[]>();
  let changeCount = 0;

  const sidesOf = (stored: StoredDocument) => {
    const sides = [['seller', stored.seller] as const];
    return stored.buyer === null ? sides : [...sides, ['buyer', stored.buyer] as const];
  };
  const storedDocument = (euid: string) => {
    const stored = byEuid.get(euid);
    if (stored === undefined) throw new Error(`No document ${euid} is registered.`);
    return stored;
  };
  const changeStatus = (change: StatusChange) => {
    const stored = storedDocument(change.euid);
    changeCount += 1;
    const numbered = { ...change, id: changeCount, version: stored.history.length };
    stored.status = change.to;
    stored.history.push(numbered);
    for (const [side, edb] of sidesOf(stored)) push(changesOf, `${side} ${edb}`, numbered);
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
      const stored: StoredDocument = { ...registration, status: '00', history: [], purchaseVatTotals: [] };
      byEuid.set(euid, stored);
      docIds.add(`${seller} ${docId}`);
      for (const [side, edb] of sidesOf(stored)) push(byDay, `${side} ${edb} ${docDate}`, stored);
      changeStatus({ euid, from: '00', to: firstStatus, at: registeredAt, userId, comment: null });
    },
    changeStatus,
    allocateVat: (euid, totals) => {
      storedDocument(euid).purchaseVatTotals = totals;
    },
  };
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
