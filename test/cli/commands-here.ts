import assert from 'node:assert/strict';
import { createDatabaseTools } from '../../src/app/database-tools.ts';
import { openReaderOnDemand } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import type { Operator } from '../../src/cli/operator.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { completeConfig } from '../../src/demo/credentials-key.ts';
import { stageOutage } from '../../src/demo/stage-outage.ts';
import { temporaryFolder, type Variables } from '../support/process.ts';
import { type CommandLine, commandLineOver } from './command-line.ts';

/**
 * The operator's command line in this process, where a process for every command would take a second of a processor. Each
 * command reads the configuration and opens and closes the database by itself, so it shares nothing with the command before
 * or with a service beside it. Without a DATA_DIR they work in a temporary folder: the default is in the project.
 */
export function commandsHere(variables: Variables = {}): CommandLine {
  const all = { DATA_DIR: temporaryFolder(), ...variables };
  const config = () => readConfig(all);
  return commandLineOver(async (...words) => {
    const printed = { stdout: '', stderr: '' };
    const exitCode = await runCommand(words, {
      terminal: {
        out(text) {
          printed.stdout += `${text}\n`;
        },
        error(text) {
          printed.stderr += `${text}\n`;
        },
      },
      withOperator: (work) => withOperator(config, work),
      databaseTools: createDatabaseTools(config),
      serve: async () => assert.fail('The service was started.'),
    });
    return { exitCode, ...printed };
  });
}

/** As the program does it for a command. */
async function withOperator<Result>(
  config: () => Config,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const foundation = await openFoundation(await completeConfig(config()));
  const reader = openReaderOnDemand();
  try {
    return await work({ ...createOperator(foundation, reader), stageOutage: stageOutage(foundation.config) });
  } finally {
    await reader.close();
    await foundation.engine.close();
  }
}
