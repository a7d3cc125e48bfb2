import type { History } from './history.ts';
import { describeFault } from './world/fault-plan.ts';

/** What was broken, and the faults that it takes. */
export function describeFailure({ seed, violations, plan }: History, engine = 'sqlite'): string {
  const options = engine === 'sqlite' ? '' : `--engine ${engine} `;
  const broken = violations.map(({ promise, facts }) => `  ${promise}: ${facts}`);
  const faults = plan.length === 0 ? ['  none'] : plan.map((fault) => `  ${describeFault(fault)}`);
  return [
    `Seed ${seed} breaks a promise:`,
    ...broken,
    'The faults that it takes:',
    ...faults,
    `See it again: npm run simulate -- ${options}--seed ${seed}`,
  ].join('\n');
}
