import type { Clock, Timers } from '../../application/ports/platform.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';
import type { AuthorityEnvironment } from '../../domain/accounts/tenant.ts';
import type { WaitingLine } from './waiting-line.ts';

type Needs = {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly intervalMs: number;
};

export type User = { readonly environment: AuthorityEnvironment; readonly eujpId: string };

/** In the interval there is more than this to spare: the authority asks for a second, and the interval is a twentieth longer. */
const TOLERATED_DELAY = 1 / 50;

/** Gives the user's next turn to a request of this process, if it is due and nothing in another process comes first. Returns when to ask again. */
export function giveNextTurn({
  storage,
  clock,
  timers,
  intervalMs,
}: Needs): (user: User, line: WaitingLine) => Promise<number> {
  return async (user, line) => {
    const { environment, eujpId } = user;
    const requests = line.counted();
    const { turn, askAt } = await storage.transaction((tx) =>
      tx.pace.ask(environment, eujpId, requests, clock.now(), intervalMs),
    );
    if (turn === null) return askAt;
    const waitMs = Math.min(turn.at - clock.now(), intervalMs);
    if (waitMs > 0) await timers.pause(waitMs);
    const left = line.take(turn.kind)?.admit();
    if (left !== undefined) await keepDistance(user, turn.at, left);
    return askAt;
  };

  /** Where the machine is busy or a signature takes long, the request leaves late: then the one after it must be late as well. */
  async function keepDistance({ environment, eujpId }: User, turnAt: number, left: Promise<number>): Promise<void> {
    const late = Promise.withResolvers<null>();
    const timer = timers.after(intervalMs, () => late.resolve(null), { keepsProcess: false });
    const leftAt = await Promise.race([left, late.promise]);
    timer.cancel();
    const countedFrom = leftAt ?? clock.now();
    if (countedFrom - turnAt <= intervalMs * TOLERATED_DELAY) return;
    await storage.transaction((tx) => tx.pace.postpone(environment, eujpId, countedFrom + intervalMs));
  }
}
