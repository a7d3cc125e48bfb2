import type { History } from './history.ts';
import type { FaultPlan } from './world/fault-plan.ts';

/** Each try is a whole history; a plan of thirty faults is mostly shrunk in half as many. */
const MOST_TRIES = 60;

/** Leaves out faults, in ever smaller parts, as long as the same promise is still broken. Returns the last history that broke it. */
export async function shrinkPlan(broken: History, run: (plan: FaultPlan) => Promise<History>): Promise<History> {
  const promise = broken.violations[0]?.promise;
  let smallest = broken;
  let tries = 0;
  for (let size = Math.ceil(broken.plan.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < smallest.plan.length && tries < MOST_TRIES; ) {
      tries += 1;
      const history = await run(smallest.plan.toSpliced(from, size));
      if (history.violations.some((violation) => violation.promise === promise)) smallest = history;
      else from += size;
    }
  }
  return smallest;
}
