#!/usr/bin/env -S node --disable-warning=ExperimentalWarning --single-threaded-gc --max-semi-space-size=64 --external-memory-accounted-in-global-limit --heap-growing-percent=700
import { createDatabaseTools } from './app/database-tools.ts';
import { openReader, openReaderOnDemand } from './app/document-reader.ts';
import { openFoundation } from './app/foundation.ts';
import { createOperator } from './app/operator.ts';
import { type Service, startService } from './app/service.ts';
import { OperatorError } from './application/errors/operator-error.ts';
import { EXIT, runCommand, type Terminal } from './cli/run-command.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { completeConfig } from './demo/credentials-key.ts';
import { type Demo, startDemo } from './demo/demo-environment.ts';
import { stageOutage } from './demo/stage-outage.ts';

/** After this long, whatever still runs is cut off. */
const STOP_LIMIT_MS = 25_000;

const terminal: Terminal = {
  out: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
};

try {
  process.exitCode = await runCommand(process.argv.slice(2), {
    terminal,
    serve,
    databaseTools: createDatabaseTools(readConfig),
    async withOperator(work) {
      const foundation = await openFoundation(await completeConfig(readConfig()));
      const reader = openReaderOnDemand();
      try {
        return await work({ ...createOperator(foundation, reader), stageOutage: stageOutage(foundation.config) });
      } finally {
        await reader.close();
        await foundation.engine.close();
      }
    },
  });
} catch (error) {
  terminal.error(
    error instanceof ConfigError || isStartFailure(error) ? error.message : String((error as Error).stack),
  );
  process.exitCode = EXIT.failed;
}

async function serve(): Promise<number> {
  const stopAsked = stopSignal();
  const given = await completeConfig(readConfig());
  // Whatever was opened is closed in reverse, also when something after it fails to start.
  await using opened = new AsyncDisposableStack();
  const demo = given.environment === 'demo' ? await startDemo(given) : null;
  opened.defer(async () => demo?.stop());
  const foundation = await openFoundation(demo?.config ?? given);
  opened.defer(() => foundation.engine.close());
  const reader = openReader();
  opened.defer(() => reader.close());
  if (demo !== null) await demo.seed(foundation, reader);
  const service = await startService(foundation, reader);
  opened.defer(() => service.stop());
  terminal.out(welcome(foundation.config, service, demo));
  await stopAsked;
  setTimeout(() => process.exit(EXIT.failed), STOP_LIMIT_MS).unref();
  return EXIT.done;
}

function welcome({ role }: Config, service: Service, demo: Demo | null): string {
  if (role === 'worker') return `Dostava delivers; health and metrics on ${service.opsUrl}`;
  return demo === null ? `Dostava listens on ${service.url}` : demo.welcome(service);
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
}

/** A port that is taken, a folder that cannot be written, a file that is no database: the operator's to mend, no bug to trace. */
function isStartFailure(error: unknown): error is Error {
  return (
    error instanceof OperatorError || (error instanceof Error && 'code' in error && typeof error.code === 'string')
  );
}
