import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { openAppContext } from '../../src/app/app-context.ts';
import { createDatabaseTools } from '../../src/app/database-tools.ts';
import { openReaderOnDemand } from '../../src/app/document-reader.ts';
import { createOperator } from '../../src/app/operator.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { readConfig } from '../../src/config.ts';
import { completeConfig } from '../../src/demo/credentials-key.ts';
import { stageOutage } from '../../src/demo/stage-outage.ts';
import { temporaryFolder } from '../support/process.ts';

type Outcome = { readonly exitCode: number; readonly out: string; readonly error: string };

/** Runs commands in this process, over an empty database, where there are too many of them for processes of their own. */
export async function commandsHere(
  t: TestContext,
  dataDir = temporaryFolder(),
): Promise<(call: string) => Promise<Outcome>> {
  const foundation = await openAppContext(await completeConfig(readConfig({ DATA_DIR: dataDir })));
  t.after(() => foundation.engine.close());
  const operator = { ...createOperator(foundation, openReaderOnDemand()), stageOutage: stageOutage(foundation.config) };
  return async (call) => {
    const said: { out: string[]; error: string[] } = { out: [], error: [] };
    const exitCode = await runCommand(call.split(' '), {
      terminal: { out: (text) => void said.out.push(text), error: (text) => void said.error.push(text) },
      withOperator: (work) => work(operator),
      databaseTools: createDatabaseTools(() => foundation.config),
      serve: async () => assert.fail('The service was started.'),
    });
    return { exitCode, out: said.out.join('\n'), error: said.error.join('\n') };
  };
}
