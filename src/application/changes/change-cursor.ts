import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocumentChange } from '../../domain/documents/document-change.ts';
import { toHex } from '../../domain/values/hex.ts';
import type { Hasher } from '../ports/platform.ts';

/** The place of an entry in the log of its tenant, and what the entry is, by which it is recognised when the place is read again. */
export type ChangePlace = { readonly number: number; readonly entry: string };

export type ChangeCursors = {
  readonly write: (tenant: Edb, change: DocumentChange) => string;
  /** Null for anything but a cursor of this tenant. */
  readonly read: (tenant: Edb, cursor: string) => ChangePlace | null;
  readonly isAt: (change: DocumentChange | undefined, place: ChangePlace) => boolean;
};

/** Long enough that no two entries that ever had the same number are taken for each other. */
const ENTRY_DIGITS = 16;
/** Against damage and mistakes. Nobody gains by a forged cursor: with any of them a key reads the log of its own tenant. */
const CHECK_DIGITS = 8;
/** Added to the number, which may be negative: the text of a cursor then always has the same length. */
const OFFSET = 2 ** 52;
const NUMBER_DIGITS = 14;
const FORM = /^([0-9a-f]{14})([0-9a-f]{16})([0-9a-f]{8})$/u;

/** Cursors are opaque to clients: 38 hexadecimal digits that say number, entry and tenant. */
export function changeCursors(hasher: Hasher): ChangeCursors {
  function check(tenant: Edb, place: string): string {
    return toHex(hasher.sha256(`change cursor ${tenant} ${place}`)).slice(0, CHECK_DIGITS);
  }

  function entryOf({ number, at, kind, docUid }: DocumentChange): string {
    return toHex(hasher.sha256(JSON.stringify([number, at, kind, docUid]))).slice(0, ENTRY_DIGITS);
  }

  return {
    write(tenant, change) {
      const number = (change.number + OFFSET).toString(16).padStart(NUMBER_DIGITS, '0');
      const place = `${number}${entryOf(change)}`;
      return `${place}${check(tenant, place)}`;
    },
    read(tenant, cursor) {
      const [, number = '', entry = '', given] = FORM.exec(cursor) ?? [];
      if (given === undefined || given !== check(tenant, `${number}${entry}`)) return null;
      return { number: Number.parseInt(number, 16) - OFFSET, entry };
    },
    isAt: (change, { number, entry }) => change !== undefined && change.number === number && entryOf(change) === entry,
  };
}
