import type { Timers } from '../ports/platform.ts';

export type InTurns = <Result>(read: () => Promise<Result>) => Promise<Result>;

/**
 * Begins each of several reads in a turn of its own. The embedded database answers without a pause, so that together they would hold up everything
 * else for as long as all of them take; a server is asked for all of them at once as before.
 */
export function inTurns(nextTurn: Timers['nextTurn']): InTurns {
  let turn: Promise<void> = Promise.resolve();
  return (read) => {
    turn = turn.then(nextTurn);
    return turn.then(read);
  };
}
