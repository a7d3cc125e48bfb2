import { packageVersion } from './app/states/package-version.ts';
import { systemPlatform } from './app/system-platform.ts';
import { databaseFailureText, isDatabaseFailure } from './application/errors/commit-unknown.ts';
import { DatabaseDamaged } from './application/errors/damage.ts';
import { OperatorError } from './application/errors/operator-error.ts';
import { EXIT, jsonError, runCommand } from './cli/run-command.ts';
import { ConfigError, readConfig, readMisspelt } from './config.ts';
import { processTerminal } from './main/process-terminal.ts';
import { stopSignal } from './main/stop-signal.ts';

const terminal = processTerminal();

/** What is misspelt has no effect, and a program that keeps silent about it does something else than the operator thinks. */
function nameMisspelt(): void {
  for (const { name, meant } of readMisspelt()) {
    terminal.error(`${name} is set, but there is no such variable. Is ${meant} meant?`);
  }
}

// Loading the whole program takes longer than most commands run, so each command loads only what it needs.
const databaseTools = async () => {
  nameMisspelt();
  return (await import('./app/database-tools.ts')).createDatabaseTools(readConfig, systemPlatform);
};

try {
  process.exitCode = await runCommand(process.argv.slice(2), {
    terminal,
    version: packageVersion,
    async serve(options) {
      terminal.outlive();
      // Before anything else is loaded: from here on a signal ends the service in order.
      const stopAsked = stopSignal(systemPlatform.timers);
      nameMisspelt();
      const exitCode = await (await import('./main/serve.ts')).serve(terminal, stopAsked, options);
      terminal.leave(systemPlatform.timers, exitCode);
      return exitCode;
    },
    async withOperator(work, options) {
      nameMisspelt();
      const { withOperator } = await import('./main/with-operator.ts');
      return withOperator(work, { ...options, onMigration: terminal.error });
    },
    databaseTools: {
      timers: systemPlatform.timers,
      copyToPostgres: async (...given) => (await databaseTools()).copyToPostgres(...given),
      backUp: async (...given) => (await databaseTools()).backUp(...given),
      restore: async (...given) => (await databaseTools()).restore(...given),
      verifyArchive: async (...given) => (await databaseTools()).verifyArchive(...given),
    },
  });
} catch (error) {
  const text = textOf(error);
  terminal.error(process.argv.includes('--json') ? jsonError(text) : text);
  process.exitCode = EXIT.failed;
}

function textOf(error: unknown): string {
  if (isDatabaseFailure(error)) return databaseFailureText(error);
  return error instanceof ConfigError || isStartFailure(error) ? error.message : String((error as Error).stack);
}

/** A port in use, a folder that cannot be written, a file that is no database: the operator must fix it, and no stack trace helps. */
function isStartFailure(error: unknown): error is Error {
  return (
    error instanceof OperatorError ||
    error instanceof DatabaseDamaged ||
    (error instanceof Error && 'code' in error && typeof error.code === 'string')
  );
}
