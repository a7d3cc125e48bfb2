import type { AuditChain, AuditSeal, SealedEntry } from '../../../domain/audit/audit-seal.ts';

/** An entry as it is in the table now. */
export type FoundEntry = {
  readonly tenant: string;
  readonly id: string;
  readonly chain: AuditChain;
  readonly at: number;
  /** Null while the entry waits to be sealed. */
  readonly block: number | null;
  /** Of its fields as they are now. */
  readonly digest: string;
  /** That was written with it; null when it was not written by this program. */
  readonly written: string | null;
};

/** A row whose block is a number that blocks do not have, or no number at all. */
export type StrayRow = {
  readonly table: 'entry' | 'seal';
  /** Of an entry. */
  readonly id: string | null;
  /** As the database shows it. */
  readonly block: string;
};

/** The rows that say until when entries without a digest are taken over; there is one, or none. */
export type Adoption = { readonly rows: number; readonly until: number };

/** Seals and what they vouch for, over all tenants. */
export type AuditSealStore = {
  /** Keeps other processes from sealing or expiring until the transaction ends. */
  readonly lock: () => void;
  readonly lastBlock: () => Promise<number>;
  readonly lastOf: (chain: AuditChain) => Promise<AuditSeal | null>;
  /** The first block of a chain that has not expired. */
  readonly oldestOf: (chain: AuditChain) => Promise<AuditSeal | null>;
  /** Gives entries of a chain that are not sealed yet their block; returns them in the order in which a seal names them. */
  readonly assign: (chain: AuditChain, block: number, limit: number) => Promise<readonly SealedEntry[]>;
  readonly add: (seal: AuditSeal) => Promise<void>;
  /** Deletes the entries of a block and the chain's seals before it; its own seal stays as the beginning of the chain. */
  readonly expire: (chain: AuditChain, block: number) => Promise<number>;
  /** Null when no entries without a digest are taken over. */
  readonly adoption: () => Promise<Adoption | null>;
  /** Computes the digest of entries up to a time that have none. Returns of how many. */
  readonly adopt: (notAfter: number, limit: number) => Promise<number>;
  readonly endAdoption: () => Promise<void>;
  /** Seals of all chains in the order of their blocks. */
  readonly seals: (afterBlock: number, limit: number) => Promise<readonly AuditSeal[]>;
  /** Entries of the blocks after one up to and including another, in the order in which seals name them. */
  readonly entriesWithin: (afterBlock: number, upToBlock: number) => Promise<readonly FoundEntry[]>;
  /** A row that no walk through the blocks comes to, nor the list of what waits; null when there is none. */
  readonly stray: () => Promise<StrayRow | null>;
  /** Entries that wait to be sealed, after the given one. */
  readonly waiting: (after: FoundEntry | null, limit: number) => Promise<readonly FoundEntry[]>;
  /** Runs reads that must all see the same committed state. */
  readonly snapshot: <Result>(work: (seals: AuditSealStore) => Promise<Result>) => Promise<Result>;
};
