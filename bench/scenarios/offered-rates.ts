import type { Bench } from '../bench.ts';
import type { ClosedLoop, Plan } from '../load/plan.ts';
import type { EngineName } from '../service/databases.ts';
import type { OpenedInterface } from '../service/opened-interface.ts';
import { bareServer, LOAD, load, measured, measureLoad, offered } from './measure-load.ts';
import { detailPlan, pingPlan } from './reads.ts';
import type { Scenario } from './scenario.ts';
import { submissionPlan } from './submissions.ts';

const PER_SECOND = 1_000;
const PINGS_PER_SECOND = 100;
const ANSWER_BYTES = 1_024;

const OFFERED: Readonly<Record<string, (opened: OpenedInterface) => Promise<Plan>>> = {
  'submit 9 kB': async (opened) => submissionPlan(opened, '9 kB'),
  detail: detailPlan,
  ping: async (opened) => pingPlan(opened),
};

/** Latencies while so many requests come in a second, whether or not the service keeps up. */
export function offeredRateScenarios(engine: EngineName): readonly Scenario<OpenedInterface>[] {
  const steady = Object.entries(OFFERED).map(
    ([name, planOf]): Scenario<OpenedInterface> => ({
      name: `${name}, ${PER_SECOND.toLocaleString('en')}/s offered, ${engine}`,
      compared: 'p99Ms',
      measure: async (bench, opened) =>
        measureLoad(bench, opened.service().pid, await planOf(opened), offered(bench, PER_SECOND)),
      baselines: async (bench, opened) => [
        await bareServer(bench, await planOf(opened), offered(bench, PER_SECOND), ANSWER_BYTES),
      ],
    }),
  );
  return [...steady, besideLarge(engine)];
}

/** What others notice while documents of 10 MiB come without a pause. */
function besideLarge(engine: EngineName): Scenario<OpenedInterface> {
  const loop = (bench: Bench) => offered(bench, PINGS_PER_SECOND);
  return {
    name: `ping beside documents of 10 MiB, ${PINGS_PER_SECOND}/s offered, ${engine}`,
    compared: 'p99Ms',
    async measure(bench, opened) {
      const { pid } = opened.service();
      const others = await bench.children.start(LOAD);
      const plan = submissionPlan(opened, '10 MiB');
      const one: ClosedLoop = { kind: 'closed', connections: 1, ms: 0, atLeast: 1, atMost: Number.POSITIVE_INFINITY };
      await load(others, { plan, loop: one });
      const sending = load(others, { plan, loop: { ...one, ms: loop(bench).ms } });
      const figures = await measured(pid, async () =>
        load(await bench.shared(LOAD), { plan: pingPlan(opened), loop: loop(bench) }),
      );
      await sending;
      await others.stop();
      return { ...figures, processorMs: null };
    },
    async baselines(bench, opened) {
      const figures = await measureLoad(bench, opened.service().pid, pingPlan(opened), loop(bench));
      return [{ name: 'the same without them', figures: { ...figures, processorMs: null } }];
    },
  };
}
