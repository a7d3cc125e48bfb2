import { isDatabaseFailure } from '../../../../application/errors/commit-unknown.ts';
import { ServiceUnavailable } from '../../../../application/errors/service-unavailable.ts';
import { type TenantChange, TenantChanged } from '../../../../application/errors/tenant-changed.ts';
import type { Random } from '../../../../application/ports/platform.ts';
import type { StoredDocument } from '../../../../application/ports/storage/lists.ts';
import type {
  NewSubmission,
  StoreSubmission,
} from '../../../../application/ports/storage/outbound/store-submission.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { Engine } from '../../engine.ts';
import { isSmall } from '../content.ts';
import { addSubmissions, KeysTaken } from './add-submissions.ts';
import { createWaitingSubmissions, filesOf, type Member } from './waiting-submissions.ts';

/** Groups under way at the same time: while one waits for the disk or for a connection that hangs, another goes on. */
const MAX_GROUPS = 2;
/**
 * A single writer has the second one at hand when it is done with the first, and need not wait until this thread has told it what comes next. Of
 * fewer, whoever comes meanwhile could not join them, and a commit for each few costs more than the wait.
 */
const LEAST_AHEAD = 12;

/** Stores members; returns those whose tenants' lists are locked by others, unless it may wait for them. */
type Store = (members: readonly Member[], mayWait: boolean, onOutage: OnOutage) => Promise<readonly Member[]>;

/** Hears of a failure of the database. */
type OnOutage = (error: unknown) => void;

/**
 * Submissions that arrive while others are being stored share the next transaction: its statements, its round trips and its
 * commit. A tenant is in one group at a time. One whose lock somebody else holds leaves the group and waits for the lock by itself,
 * so that no tenant waits for the lock of another. Whoever waits through a failure of the database shares it: while the database hangs, nobody
 * waits for one group after another.
 */
export function submissionGroups(engine: Engine, random: Random): StoreSubmission {
  const line = createWaitingSubmissions(engine.hasOneWriter);
  const store = storeMembers(engine, random);
  const storeSingle = singleSubmissions(engine, random);
  let groups = 0;

  /** Nothing was sent for them, so nothing is unknown about them either. */
  function refuse(behind: readonly Member[]): OnOutage {
    return (cause) =>
      line.refuse(behind, new ServiceUnavailable('The database failed while others were stored.', { cause }));
  }

  function mayStart(): boolean {
    if (groups > 0 && engine.hasOneWriter && line.waiting().length < LEAST_AHEAD) return false;
    return groups < MAX_GROUPS;
  }

  function startGroups(): void {
    while (mayStart()) {
      const group = line.takeGroup();
      if (group.length === 0) return;
      groups += 1;
      void run(group).then(() => {
        groups -= 1;
        startGroups();
      });
    }
  }

  async function run(group: readonly Member[]): Promise<void> {
    const behind = line.waiting();
    const left = await store(group, false, refuse(behind));
    const leftOut = Map.groupBy(left, ({ tenant }) => tenant);
    for (const { tenant } of group) if (!leftOut.has(tenant)) line.free(tenant);
    // Not counted among the groups.
    for (const [tenant, members] of leftOut) void runAlone(tenant, members);
  }

  async function runAlone(tenant: Edb, members: readonly Member[]): Promise<void> {
    const behind = line.waiting().filter((member) => member.tenant === tenant);
    await store(members, true, refuse(behind));
    line.free(tenant);
    startGroups();
  }

  return (submission) => {
    // A file that was stored ahead may be gone: a failure of the database for this one, and for no other.
    if (!hasSmallFiles(submission)) return storeSingle(submission);
    return new Promise((resolve, reject) => {
      line.add({ submission, tenant: submission.key.tenant, resolve, reject });
      startGroups();
    });
  };
}

/** One submission in a transaction of its own. */
function singleSubmissions(engine: Engine, random: Random): StoreSubmission {
  const store = storeMembers(engine, random);
  return (submission) =>
    new Promise((resolve, reject) => {
      void store([{ submission, tenant: submission.key.tenant, resolve, reject }], true, () => undefined);
    });
}

/** A failure of the database is that of all members. One that fails for a reason of its own is found by halving. */
function storeMembers(engine: Engine, random: Random): Store {
  const store: Store = async (members, mayWait, onOutage) => {
    if (members.length === 0) return [];
    try {
      const submissions = members.map(({ submission }) => submission);
      const stored = await storeTogether(engine, random, submissions, mayWait);
      return members.filter(({ submission, resolve, reject }) => {
        const document = stored.get(submission);
        if (typeof document === 'string') reject(new TenantChanged(document));
        else if (document !== undefined) resolve(document);
        return document === undefined;
      });
    } catch (error) {
      if (error instanceof KeysTaken) return storeOthers(members, error, mayWait, onOutage);
      if (members.length > 1 && !isDatabaseFailure(error)) return storeHalves(members, mayWait, onOutage);
      return refuseAll(members, error, onOutage);
    }
  };

  function storeOthers(
    members: readonly Member[],
    { submissions }: KeysTaken,
    mayWait: boolean,
    onOutage: OnOutage,
  ): Promise<readonly Member[]> {
    const [taken, others] = parted(members, ({ submission }) => submissions.has(submission));
    for (const { resolve } of taken) resolve(null);
    return store(others, mayWait, onOutage);
  }

  const storeHalves: Store = async (members, mayWait, onOutage) => {
    const middle = Math.ceil(members.length / 2);
    const first = await store(members.slice(0, middle), mayWait, onOutage);
    return [...first, ...(await store(members.slice(middle), mayWait, onOutage))];
  };

  return store;
}

async function storeTogether(
  { storeGroup, transaction }: Engine,
  random: Random,
  submissions: readonly NewSubmission[],
  mayWait: boolean,
): Promise<ReadonlyMap<NewSubmission, StoredDocument | TenantChange>> {
  const outcome = submissions.every(hasSmallFiles) ? await storeGroup(submissions, random) : null;
  if (outcome === null) return transaction((sql) => addSubmissions(sql, random, submissions, mayWait));
  if ('taken' in outcome) throw new KeysTaken(new Set(submissions.filter((_, index) => outcome.taken[index])));
  return new Map(
    submissions.flatMap((submission, index) => {
      const document = outcome.stored[index] ?? null;
      return document === null ? [] : [[submission, document] as const];
    }),
  );
}

function hasSmallFiles(submission: NewSubmission): boolean {
  return filesOf(submission).every(isSmall);
}

function refuseAll(members: readonly Member[], error: unknown, onOutage: OnOutage): readonly Member[] {
  for (const { reject } of members) reject(error);
  if (isDatabaseFailure(error)) onOutage(error);
  return [];
}

function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
