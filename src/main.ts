#!/usr/bin/env node
import { createOperator, openFoundation, openReader, openReaderOnDemand, startService } from './app.ts';
import { EXIT, runCommand, type Terminal } from './cli/run-command.ts';
import { ConfigError, readConfig } from './config.ts';
import { startDemo } from './demo.ts';

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
    async withOperator(work) {
      const foundation = await openFoundation(readConfig());
      const reader = openReaderOnDemand();
      try {
        return await work(createOperator(foundation, reader));
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
  const given = readConfig();
  const demo = given.environment === 'demo' ? await startDemo(given) : null;
  const foundation = await openFoundation(demo?.config ?? given);
  const reader = openReader();
  if (demo !== null) await demo.seed(foundation, reader);
  const service = await startService(foundation, reader);
  terminal.out(demo === null ? `Dostava listens on ${service.url}` : demo.welcome(service));
  await stopAsked;
  setTimeout(() => process.exit(EXIT.failed), STOP_LIMIT_MS).unref();
  await service.stop();
  await reader.close();
  await foundation.engine.close();
  await demo?.stop();
  return EXIT.done;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

/** A port that is taken, a folder that cannot be written: the operator's to mend, not a bug to trace. */
function isStartFailure(error: unknown): error is NodeJS.ErrnoException {
  return (
    error instanceof Error && 'code' in error && ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes(String(error.code))
  );
}
