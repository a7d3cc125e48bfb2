import { once } from 'node:events';
import { openReader } from '../app/document-reader.ts';
import { openFoundation } from '../app/foundation.ts';
import { freeStartMemory } from '../app/jobs/free-start-memory.ts';
import { type Ops, openOps } from '../app/ops.ts';
import type { Service } from '../app/service.ts';
import { processLine } from '../app/states/process-line.ts';
import { systemPlatform } from '../app/system-platform.ts';
import type { Timer, Timers } from '../application/ports/platform.ts';
import { EXIT, type Terminal } from '../cli/run-command.ts';
import { type Config, readConfig, readShownVariables } from '../config.ts';
import { completeConfig } from '../demo/credentials-key.ts';
import type { Demo } from '../demo/demo-environment.ts';
import { announceStop } from './announce-stop.ts';
import { endProcess } from './end-process.ts';
import { listenFailure } from './listen-failure.ts';

/** After this long, whatever still runs is cut off. */
const STOP_LIMIT_MS = 25_000;
/** The same while the service starts: nobody was answered yet, and what a start has begun the next one does again. */
const START_LIMIT_MS = 2_000;

type Started = { readonly service: Service; readonly config: Config; readonly demo: Demo | null };

/** Runs the service until it is asked to stop. In the demo environment it greets a person, unless a program reads its output. */
export async function serve(
  terminal: Pick<Terminal, 'out' | 'error'>,
  stopAsked: AbortSignal,
  { asJson = false, config = readConfig() }: { readonly asJson?: boolean; readonly config?: Config } = {},
): Promise<number> {
  const { timers, clock } = systemPlatform;
  // Whatever was opened is closed in reverse, also when something after it fails to start.
  await using opened = new AsyncDisposableStack();
  let printsLines = false;
  opened.defer(() => {
    if (printsLines) terminal.out(processLine(clock, 'Dostava has stopped'));
  });
  const ops = await openOps(config, timers).catch((error: unknown) => {
    throw listenFailure(error, config) ?? error;
  });
  opened.defer(() => ops.close());
  const cut = cutStart(timers, stopAsked);
  function tellMigration(step: string): void {
    ops.starting(step);
    terminal.out(asJson || config.environment !== 'demo' ? processLine(clock, step) : step);
  }
  const begun = { config, ops, opened, stopAsked, tellMigration, onServing: cut.cancel };
  const started = await start(begun).catch((error: unknown) => {
    if (stopAsked.aborted) return null;
    throw listenFailure(error, config) ?? error;
  });
  if (started === null) return EXIT.done;
  printsLines = asJson || started.demo === null;
  const facts = { ...factsOf(started), configuration: readShownVariables() };
  terminal.out(printsLines ? processLine(clock, headline(started), facts) : greeting(started));
  if (!stopAsked.aborted) await once(stopAsked, 'abort');
  if (printsLines) terminal.out(processLine(clock, 'Dostava is stopping', started.service.underWay()));
  // For a person at a terminal: elsewhere the output consists of log lines.
  if (process.stdout.isTTY && !asJson) announceStop(timers, started.service.underWay, terminal.out);
  timers.after(STOP_LIMIT_MS, () => endProcess(EXIT.failed), { keepsProcess: false });
  return EXIT.done;
}

/** Ends the process when a start that is asked to stop does not end by itself: a database may not answer, a migration may be long. */
function cutStart(timers: Timers, stopAsked: AbortSignal): Timer {
  const ended = new AbortController();
  let timer: Timer | null = null;
  function begin(): void {
    timer = timers.after(START_LIMIT_MS, () => endProcess(EXIT.done), { keepsProcess: false });
  }
  if (stopAsked.aborted) begin();
  else stopAsked.addEventListener('abort', begin, { signal: ended.signal });
  return {
    cancel() {
      ended.abort();
      timer?.cancel();
    },
  };
}

type Start = {
  readonly config: Config;
  readonly ops: Ops;
  readonly opened: AsyncDisposableStack;
  readonly stopAsked: AbortSignal;
  readonly tellMigration: (step: string) => void;
  /** From now on somebody may get answers, and the stop must be in order. */
  readonly onServing: () => void;
};

/** Ends with an error at the next step when it is asked to stop. */
async function start({ config, ops, opened, stopAsked, tellMigration, onServing }: Start): Promise<Started> {
  const { timers, random } = systemPlatform;
  function step(what: string): void {
    stopAsked.throwIfAborted();
    ops.starting(what);
  }
  step('the database is being opened');
  // The database first: one of the other environment is refused before the demo writes anything beside it.
  // In production an empty place is more often the wrong one, or a disk that is missing, than the first start.
  const mayCreate = config.environment === 'demo';
  const database = await openFoundation(config, { mayCreate, mustWrite: true, onMigration: tellMigration });
  opened.defer(() => database.engine.close());
  step('the environment is being prepared');
  const given = await completeConfig(config, random);
  const demo = given.environment === 'demo' ? await startDemoWith(given) : null;
  opened.defer(async () => demo?.stop());
  const foundation = { ...database, config: demo?.config ?? given };
  step('the service is being loaded');
  const reader = openReader(timers, foundation.config.readingThreads);
  opened.defer(() => reader.close());
  // The largest part of the program is loaded while the demo is seeded.
  const seeded = demo?.seed(foundation, reader).then(() => demo.seedConsole(foundation));
  const loaded = Promise.all([import('../app/service.ts'), seeded]);
  const [{ startService }] = await orStop(loaded, stopAsked);
  step('the service is being started');
  onServing();
  const service = await startService(foundation, reader, ops, demo?.readerOf);
  opened.defer(() => service.stop());
  opened.defer(freeStartMemory(timers, () => isIdle(service)).cancel);
  return { service, config: foundation.config, demo };
}

function isIdle({ underWay }: Service): boolean {
  const { requests, deliveries, containers } = underWay();
  return requests + deliveries + containers === 0;
}

async function orStop<Result>(work: Promise<Result>, stopAsked: AbortSignal): Promise<Result> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(stopAsked.reason);
  stopAsked.addEventListener('abort', stop);
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    stopAsked.removeEventListener('abort', stop);
  }
}

/** Production never loads the simulator. */
async function startDemoWith(config: Config): Promise<Demo> {
  const { startDemo } = await import('../demo/demo-environment.ts');
  return startDemo(config);
}

/** What a person looks for first in the log of a process. */
function factsOf({ service, config }: Started) {
  return { url: service.url, opsUrl: service.opsUrl, environment: config.environment, role: config.role };
}

function headline({ service, config }: Started): string {
  if (config.role === 'worker') return `Dostava delivers; health and metrics on ${service.opsUrl}`;
  return `Dostava listens on ${service.url}`;
}

function greeting(started: Started): string {
  const { service, config, demo } = started;
  return demo === null || config.role === 'worker' ? headline(started) : demo.welcome(service);
}
