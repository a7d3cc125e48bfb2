import { openReader } from '../app/document-reader.ts';
import { openFoundation } from '../app/foundation.ts';
import type { Service } from '../app/service.ts';
import { systemPlatform } from '../app/system-platform.ts';
import type { Timers } from '../application/ports/platform.ts';
import { EXIT, type Terminal } from '../cli/run-command.ts';
import { type Config, readConfig } from '../config.ts';
import { completeConfig } from '../demo/credentials-key.ts';
import type { Demo } from '../demo/demo-environment.ts';
import { announceStop } from './announce-stop.ts';

/** After this long, whatever still runs is cut off. */
const STOP_LIMIT_MS = 25_000;

/** Runs the service until it is asked to stop. */
export async function serve(terminal: Pick<Terminal, 'out' | 'error'>, config = readConfig()): Promise<number> {
  const { timers, random } = systemPlatform;
  const stopAsked = stopSignal(timers);
  // Whatever was opened is closed in reverse, also when something after it fails to start.
  await using opened = new AsyncDisposableStack();
  // The database first: one of the other environment is refused before the demo writes anything beside it.
  const database = await openFoundation(config, systemPlatform);
  opened.defer(() => database.engine.close());
  const given = await completeConfig(config, random);
  const demo = given.environment === 'demo' ? await startDemoWith(given) : null;
  opened.defer(async () => demo?.stop());
  const foundation = { ...database, config: demo?.config ?? given };
  const reader = openReader(timers, foundation.config.readingThreads);
  opened.defer(() => reader.close());
  // The largest part of the program is loaded while the threads that read documents get ready and the demo is seeded.
  const seeded = demo?.seed(foundation, reader);
  const [{ startService }] = await Promise.all([import('../app/service.ts'), seeded]);
  const service = await startService(foundation, demo?.readerOf(reader) ?? reader);
  opened.defer(() => service.stop());
  terminal.out(welcome(foundation.config, service, demo));
  await stopAsked;
  // For a person at a terminal: elsewhere the output consists of log lines.
  if (process.stdout.isTTY) announceStop(timers, service.underWay, terminal.out);
  timers.after(STOP_LIMIT_MS, () => process.exit(EXIT.failed), { keepsProcess: false });
  return EXIT.done;
}

/** Production never loads the simulator. */
async function startDemoWith(config: Config): Promise<Demo> {
  const { startDemo } = await import('../demo/demo-environment.ts');
  return startDemo(config);
}

function welcome({ role }: Config, service: Service, demo: Demo | null): string {
  if (role === 'worker') return `Dostava delivers; health and metrics on ${service.opsUrl}`;
  return demo === null ? `Dostava listens on ${service.url}` : demo.welcome(service);
}

/** One Ctrl-C reaches the process several times, from the terminal and from npm; a later one means it. */
const SAME_SIGNAL_MS = 1_000;

/** Resolves at the first signal. Another one, when the first was long enough ago, ends the process at once. */
function stopSignal(timers: Timers): Promise<void> {
  let firstAt: number | null = null;
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        const now = timers.elapsedMs();
        if (firstAt !== null && now - firstAt > SAME_SIGNAL_MS) process.exit(EXIT.failed);
        firstAt ??= now;
        resolve();
      });
    }
  });
}
