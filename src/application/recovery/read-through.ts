import { unlessDamaged } from '../errors/damage.ts';
import type { ReadBytes, ReadFrom } from '../ports/recovery/stored-bytes.ts';

type Walk = {
  readonly read: (from: ReadFrom) => Promise<readonly ReadBytes[]>;
  readonly each: (one: ReadBytes, done: number) => Promise<void>;
};

export type Reading = {
  readonly done: number;
  /** What could not be reached from either end: after the one and before the other, null for the end itself. Null where all was. */
  readonly gap: { readonly after: ReadBytes | null; readonly before: ReadBytes | null } | null;
};

/** Reads all there is. Where a damaged page ends the way from the beginning, the rest is read from the end. */
export async function readThrough({ read, each }: Walk): Promise<Reading> {
  let done = 0;
  let after: ReadBytes | null = null;
  let before: ReadBytes | null = null;
  async function take(batch: readonly ReadBytes[]): Promise<void> {
    for (const one of batch) {
      done += 1;
      await each(one, done);
    }
  }
  for (;;) {
    const batch: readonly ReadBytes[] | null = await unlessDamaged(read({ after }));
    if (batch === null) break;
    await take(batch);
    after = batch.at(-1) ?? after;
    if (batch.length === 0) return { done, gap: null };
  }
  const reached = after;
  for (;;) {
    const batch: readonly ReadBytes[] | null = await unlessDamaged(read({ before }));
    const unread: readonly ReadBytes[] = (batch ?? []).filter((one) => reached === null || isBefore(reached, one));
    await take(unread);
    before = unread.at(-1) ?? before;
    if (batch === null || unread.length < batch.length || batch.length === 0) return { done, gap: { after, before } };
  }
}

function isBefore(one: ReadBytes, other: ReadBytes): boolean {
  return one.tenant === other.tenant ? one.key < other.key : one.tenant < other.tenant;
}
