import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabaseTools } from '../../src/app/database-tools.ts';
import { DATABASE_FILE } from '../../src/app/foundation.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { readConfig } from '../../src/config.ts';
import { withOperator } from '../../src/main/with-operator.ts';
import { placeMigratedSqlite } from '../support/migrated-sqlite.ts';
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
        screen: { columns: null, isColoured: false },
      },
      withOperator: async (work, options) => withOperator(work, options, config()),
      databaseTools: createDatabaseTools(config, systemPlatform),
      version: () => '1.2.3',
      serve: async () => assert.fail('The service was started.'),
    });
    return { exitCode, ...printed };
  });
}

/** The same on an empty database of its own: commands do not create one. */
export async function commandsOnNewDatabase(variables: Variables = {}): Promise<CommandLine> {
  const all = { DATA_DIR: temporaryFolder(), ...variables };
  mkdirSync(all.DATA_DIR, { recursive: true });
  await placeMigratedSqlite(join(all.DATA_DIR, DATABASE_FILE));
  const commands = commandsHere(all);
  // The rest of what a new installation has: the key that it seals private keys with.
  await commands.json('init');
  return commands;
}
