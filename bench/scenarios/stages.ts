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

/** Everything that `npm run bench` measures, in its order. */
export function stagesOf(settings: Settings): readonly Stage[] {
  return ENGINES.flatMap((engine) => {
    // What takes longest differs least between the engines.
    const isLeftOut = settings.mode === 'quick' && engine !== 'SQLite';
    return [
      ...(isLeftOut ? [] : [wholeProcessStage(engine)]),
      createStage(
        (bench) => openInterface(bench, engine),
        [
          ...submissionScenarios(engine),
          ...readScenarios(engine),
          ...offeredRateScenarios(engine),
          ...listScenarios(settings, engine),
          ...(isLeftOut ? [] : [manyLargeScenario(engine)]),
        ],
      ),
      deliveryStage(engine),
    ];
  });
}
