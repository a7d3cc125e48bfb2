import { ENGINES } from '../service/databases.ts';
import { openInterface } from '../service/opened-interface.ts';
import type { Settings } from '../settings.ts';
import { deliveryStage } from './delivery.ts';
import { listScenarios } from './lists.ts';
import { offeredRateScenarios } from './offered-rates.ts';
import { readScenarios } from './reads.ts';
import { createStage, type Stage } from './scenario.ts';
import { submissionScenarios } from './submissions.ts';
import { manyLargeScenario, wholeProcessStage } from './whole-process.ts';

/** What a quick run looks at on PostgreSQL, beside deliveries. */
const QUICK_ON_POSTGRES: ReadonlySet<string> = new Set(
  ['submit 9 kB', 'detail', 'list of 10,000, no filter, first page'].map((name) => `${name}, PostgreSQL`),
);

/** Everything that `npm run bench` measures, in its order. */
export function stagesOf(settings: Settings): readonly Stage[] {
  return ENGINES.flatMap((engine) => {
    const isShort = settings.mode === 'quick' && engine === 'PostgreSQL';
    const scenarios = [
      ...submissionScenarios(settings, engine),
      ...readScenarios(engine),
      ...offeredRateScenarios(engine),
      ...listScenarios(settings, engine),
      manyLargeScenario(engine),
    ];
    return [
      ...(isShort ? [] : [wholeProcessStage(engine)]),
      createStage(
        (bench) => openInterface(bench, engine),
        scenarios.filter(({ name }) => !isShort || QUICK_ON_POSTGRES.has(name)),
      ),
      deliveryStage(engine),
    ];
  });
}
