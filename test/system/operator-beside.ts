import type { TestContext } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import type { Operator } from '../../src/cli/operator.ts';
import { readConfig } from '../../src/config.ts';
import { completeConfig } from '../../src/demo/credentials-key.ts';
import { stageOutage } from '../../src/demo/stage-outage.ts';
import type { Variables } from '../support/process.ts';
import { steadyTimers } from '../support/steady-time.ts';

/** What the command line does, without a process for each command: over the database of a service that runs beside. */
export async function operatorBeside(t: TestContext, variables: Variables): Promise<Operator> {
  const config = await completeConfig(readConfig(variables), systemRandom);
  const foundation = await openFoundation(config, { timers: steadyTimers });
  t.after(() => foundation.engine.close());
  return {
    ...createOperator(foundation, openReader(steadyTimers)),
    stageOutage: stageOutage(foundation.config, foundation.timers),
  };
}
