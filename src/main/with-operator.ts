import { openReader } from '../app/document-reader.ts';
import { type OpenOptions, openFoundation } from '../app/foundation.ts';
import { createOperator } from '../app/operator.ts';
import type { Operator } from '../cli/operator.ts';
import { readConfig } from '../config.ts';
import { completeConfig } from '../demo/credentials-key.ts';
import { stageOutage } from '../demo/stage-outage.ts';

/** Opens what a command works on, and closes it when the command is done. Only with `mayCreate` it may be created. */
export async function withOperator<Result>(
  work: (operator: Operator) => Promise<Result>,
  options: Pick<OpenOptions, 'onMigration'> & { readonly mayCreate: boolean },
  config = readConfig(),
): Promise<Result> {
  const database = await openFoundation(config, options);
  const reader = openReader(database.timers);
  try {
    const foundation = { ...database, config: await completeConfig(config, database.random, options) };
    return await work({
      ...createOperator(foundation, reader),
      stageOutage: stageOutage(foundation.config, database.timers),
    });
  } finally {
    await reader.close();
    await database.engine.close();
  }
}
