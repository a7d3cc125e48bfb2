import { openReaderOnDemand } from '../app/document-reader.ts';
import { openFoundation } from '../app/foundation.ts';
import { createOperator } from '../app/operator.ts';
import type { Operator } from '../cli/operator.ts';
import { readConfig } from '../config.ts';
import { completeConfig } from '../demo/credentials-key.ts';
import { stageOutage } from '../demo/stage-outage.ts';

/** Opens what a command works on, and closes it when the command is done. */
export async function withOperator<Result>(work: (operator: Operator) => Promise<Result>): Promise<Result> {
  const foundation = await openFoundation(await completeConfig(readConfig()));
  const reader = openReaderOnDemand();
  try {
    return await work({ ...createOperator(foundation, reader), stageOutage: stageOutage(foundation.config) });
  } finally {
    await reader.close();
    await foundation.engine.close();
  }
}
