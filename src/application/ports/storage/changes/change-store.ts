import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocumentChange } from '../../../../domain/documents/document-change.ts';

/** The change feed. It is written by the database itself, in the transaction of each change (record 31). */
export type ChangeStore = {
  /** In the order of their numbers, without gaps, beginning with this number or, for null, with the first entry. */
  readonly read: (tenant: Edb, from: number | null, limit: number) => Promise<readonly DocumentChange[]>;
  /** The number of the last entry of each of these tenants that has one. */
  readonly lastNumbers: (tenants: readonly Edb[]) => Promise<ReadonlyMap<Edb, number>>;
};
