import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import type { Bench } from '../bench.ts';
import type { ClosedLoop } from '../load/plan.ts';
import { usageOf } from '../processes/usage.ts';
import { type Figures, NO_FIGURES } from '../report/figures.ts';
import { createDatabase, type EngineName } from '../service/databases.ts';
import type { OpenedInterface } from '../service/opened-interface.ts';
import { productionVariables } from '../service/production-variables.ts';
import { startService } from '../service/start-service.ts';
import type { TimedStart } from '../service/timed-start-result.ts';
import { CONNECTIONS, LOAD, load, measured } from './measure-load.ts';
import { createStage, type Scenario, type Stage } from './scenario.ts';
import { submissionPlan } from './submissions.ts';

type Opened = { readonly variables: Readonly<Record<string, string>>; readonly close: () => Promise<void> };

/** Once what the start has left behind is collected. */
const AT_REST_MS = 12_000;
const SERVICE = { args: ['bin/dostava.js', 'serve'], readyText: 'Dostava listens' };
const EMPTY_PROGRAM = { args: ['-e', "console.log('ready'); setInterval(() => {}, 1000)"], readyText: 'ready' };

/** What a process costs before anybody calls it. */
export function wholeProcessStage(engine: EngineName): Stage {
  return createStage(
    (bench) => open(bench, engine),
    [
      {
        name: `start until ready, ${engine}`,
        compared: 'p50Ms',
        measure: (bench, { variables }) => medianStart(bench, SERVICE, variables),
        baselines: async (bench) => [
          {
            name: 'Node with an empty program',
            figures: await bench.once('empty program', () => medianStart(bench, EMPTY_PROGRAM, {})),
          },
        ],
      },
      {
        name: `at rest, ${engine}`,
        compared: 'residentMiB',
        async measure(bench, { variables }) {
          const service = await startService(bench, variables);
          await pause(AT_REST_MS, undefined, { signal: bench.stop });
          const figures = memoryOf(service.pid);
          await service.stop();
          return figures;
        },
        baselines: async (bench) => [
          {
            name: 'bare HTTP server',
            figures: await bench.once('bare at rest', async () => {
              const server = await bench.children.start('baselines/bare-server');
              const figures = memoryOf(server.pid);
              await server.stop();
              return figures;
            }),
          },
        ],
      },
    ],
  );
}

async function open(bench: Bench, engine: EngineName): Promise<Opened> {
  const database = await createDatabase(bench, engine);
  const variables = { ...productionVariables(), ...database.variables };
  const { engine: opened } = await openFoundation(readConfig(variables));
  await opened.close();
  return { variables, close: database.remove };
}

function memoryOf(pid: number): Figures {
  const usage = usageOf(pid);
  return { ...NO_FIGURES, residentMiB: usage?.residentMiB ?? null, peakMiB: usage?.peakMiB ?? null };
}

async function medianStart(
  bench: Bench,
  order: typeof SERVICE,
  variables: Readonly<Record<string, string>>,
): Promise<Figures> {
  const own = { ...variables, NODE_COMPILE_CACHE: join(bench.folder, 'compile') };
  const starter = await bench.children.start('service/timed-start', { variables: own });
  // The first one compiles for those that follow.
  await starter.ask(order);
  const starts: TimedStart[] = [];
  for (let start = 0; start < bench.settings.starts; start += 1) starts.push(await starter.ask<TimedStart>(order));
  await starter.stop();
  const usages = starts.flatMap(({ usage }) => usage ?? []);
  return {
    ...NO_FIGURES,
    p50Ms: median(starts.map(({ ms }) => ms)),
    processorMs: median(usages.map(({ processorMs }) => processorMs)),
    residentMiB: median(usages.map(({ residentMiB }) => residentMiB)),
    peakMiB: median(usages.map(({ peakMiB }) => peakMiB)),
  };
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}

/**
 * How much memory many large documents at a time take, in a process that has served nobody before, as its baseline has not. Those that there
 * is no room for are refused, and do not come again.
 */
export function manyLargeScenario(engine: EngineName): Scenario<OpenedInterface> {
  function loopOf(bench: Bench): ClosedLoop {
    const { largeDocuments: count } = bench.settings;
    return { kind: 'closed', connections: CONNECTIONS, ms: 0, atLeast: count, atMost: count };
  }
  return {
    name: `${CONNECTIONS} clients with 10 MiB each, ${engine}`,
    compared: 'peakMiB',
    async measure(bench, opened) {
      await opened.restart();
      return measured(opened.service().pid, async () =>
        load(await bench.shared(LOAD), { plan: submissionPlan(opened, '10 MiB'), loop: loopOf(bench) }),
      );
    },
    async baselines(bench, opened) {
      const figures = await bench.once('bare with many large', async () => {
        const server = await bench.children.start<{ readonly url: string }>('baselines/bare-server');
        const plan = { ...submissionPlan(opened, '10 MiB'), url: server.facts.url };
        const found = await measured(server.pid, async () =>
          load(await bench.shared(LOAD), { plan, loop: loopOf(bench) }),
        );
        await server.stop();
        return found;
      });
      return [{ name: 'bare HTTP server', figures }];
    },
  };
}
