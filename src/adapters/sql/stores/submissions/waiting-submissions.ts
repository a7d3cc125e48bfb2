import type { StoredDocument } from '../../../../application/ports/storage/lists.ts';
import type { NewSubmission } from '../../../../application/ports/storage/outbound/store-submission.ts';
import type { FileToStore } from '../../../../application/ports/stored-file.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import { toHex } from '../../../../domain/values/hex.ts';

/** A submission that waits to be stored, and the caller who waits for it. */
export type Member = {
  readonly submission: NewSubmission;
  readonly tenant: Edb;
  readonly resolve: (stored: StoredDocument | null) => void;
  readonly reject: (error: unknown) => void;
};

export type WaitingSubmissions = {
  readonly add: (member: Member) => void;
  /** The longest waiting ones, whose tenants are then busy. */
  readonly takeGroup: () => readonly Member[];
  /** The group of the tenant has ended. */
  readonly free: (tenant: Edb) => void;
  /** Those who wait now. */
  readonly waiting: () => readonly Member[];
  /** Refuses those of them who still wait. */
  readonly refuse: (members: readonly Member[], error: unknown) => void;
};

/** Bound how long the first of a group waits for the last. */
const MAX_GROUP_SIZE = 64;
const MAX_GROUP_BYTES = 1_048_576;

/**
 * The line of submissions. Those of a tenant that is busy wait for the end of its group, and not at the database; where a single writer stores
 * one group after the other, no tenant is.
 */
export function createWaitingSubmissions(hasOneWriter: boolean): WaitingSubmissions {
  let waiting: readonly Member[] = [];
  const busy = new Set<Edb>();

  function takeGroup(): readonly Member[] {
    const group: Member[] = [];
    const left: Member[] = [];
    const keys = new Set<string>();
    let bytes = 0;
    for (const member of waiting) {
      const key = keyOf(member.submission);
      const size = sizeOf(member.submission);
      const hasRoom = group.length < MAX_GROUP_SIZE && (group.length === 0 || bytes + size <= MAX_GROUP_BYTES);
      // The second under a key comes when the first is stored, or has failed.
      if (hasRoom && !busy.has(member.tenant) && !keys.has(key)) {
        group.push(member);
        keys.add(key);
        bytes += size;
      } else left.push(member);
    }
    waiting = left;
    if (!hasOneWriter) for (const { tenant } of group) busy.add(tenant);
    return group;
  }

  return {
    add(member) {
      waiting = [...waiting, member];
    },
    takeGroup,
    free: (tenant) => void busy.delete(tenant),
    waiting: () => waiting,
    refuse(members, error) {
      const refused = new Set(members).intersection(new Set(waiting));
      waiting = waiting.filter((member) => !refused.has(member));
      for (const { reject } of refused) reject(error);
    },
  };
}

export function filesOf({ document }: NewSubmission): readonly FileToStore[] {
  return document.pdf === null ? [document.ubl] : [document.ubl, document.pdf];
}

function sizeOf(submission: NewSubmission): number {
  return filesOf(submission).reduce((sum, { bytes }) => sum + (bytes?.byteLength ?? 0), 0);
}

function keyOf({ key }: NewSubmission): string {
  return `${key.tenant} ${toHex(key.idempotencyKey)} ${key.software}`;
}
