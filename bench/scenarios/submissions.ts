import { nativeXmllint } from '../baselines/native-xmllint.ts';
import type { Bench } from '../bench.ts';
import type { Call, ClosedLoop, Plan } from '../load/plan.ts';
import type { Baseline } from '../report/figures.ts';
import type { EngineName } from '../service/databases.ts';
import type { OpenedInterface } from '../service/opened-interface.ts';
import type { Settings } from '../settings.ts';
import { documentOf, SIZES, type Size } from './documents.ts';
import { bareServer, closed, measureLoad, measureRaw } from './measure-load.ts';
import type { Scenario } from './scenario.ts';

export const SUBMIT_PATH = '/api/integration/v1/outbound';
/** Of the size that most documents have, until everything that takes part is compiled: the figure that is looked at first. */
const LEAST_OF_9_KB = { quick: 1_500, full: 20_000, large: 20_000 } as const;
/** The raw engine keeps what it writes until it is done. */
const MOST_BYTES_WRITTEN = 2 ** 30;

/** The smallest and the largest take long to measure, for what the others tell as well. */
const QUICK_SIZES: readonly Size[] = ['9 kB', '100 kB', '1 MiB'];

export function submissionScenarios({ mode }: Settings, engine: EngineName): readonly Scenario<OpenedInterface>[] {
  const sizes = mode === 'quick' ? QUICK_SIZES : SIZES;
  return [...sizes.map((size) => submission(size, engine)), repeated(engine)];
}

export function submissionPlan({ service, submitter }: OpenedInterface, size: Size): Plan {
  const { bytes, numberAt } = documentOf(size);
  const call: Call = { method: 'POST', path: SUBMIT_PATH, headers: submitter, body: bytes, numberAt };
  return { url: service().facts.url, calls: [call], expected: [201] };
}

function submission(size: Size, engine: EngineName): Scenario<OpenedInterface> {
  return {
    name: `submit ${size}, ${engine}`,
    compared: 'perSecond',
    measure: (bench, opened) =>
      measureLoad(bench, opened.service().pid, submissionPlan(opened, size), loopOf(bench, size)),
    async baselines(bench, opened) {
      const plan = submissionPlan(opened, size);
      return [
        await bareServer(bench, plan, loopOf(bench, size)),
        await validatingServer(bench, plan, size),
        {
          name: 'native xmllint, one thread, without HTTP',
          figures: await bench.once(`xmllint ${size}`, () =>
            nativeXmllint(bench.folder, documentOf(size).bytes, bench.settings.measureMs),
          ),
        },
        await sameRows(bench, opened, size),
      ];
    },
  };
}

function loopOf(bench: Bench, size: Size): ClosedLoop {
  return closed(bench, documentOf(size).connections, size === '9 kB' ? LEAST_OF_9_KB[bench.settings.mode] : undefined);
}

async function validatingServer(bench: Bench, plan: Plan, size: Size): Promise<Baseline> {
  const figures = await bench.once(`validating ${size}`, async () => {
    const { facts, pid } = await bench.shared<{ readonly url: string }>('baselines/validating-server');
    return measureLoad(bench, pid, { ...plan, url: facts.url }, loopOf(bench, size));
  });
  return { name: 'parse and validate over HTTP, one thread', figures };
}

async function sameRows(bench: Bench, opened: OpenedInterface, size: Size): Promise<Baseline> {
  const { bytes, connections } = documentOf(size);
  const rows = await opened.rowsOf(size);
  const atMost = Math.floor(MOST_BYTES_WRITTEN / bytes.length);
  const { measureMs: ms } = bench.settings;
  const figures = await measureRaw(bench, await opened.raw(), {
    kind: 'write',
    rows,
    together: connections,
    ms,
    atMost,
  });
  return { name: `${opened.database.engine} alone, the same rows`, figures };
}

/** The same bytes under the same idempotency key. */
function repeated(engine: EngineName): Scenario<OpenedInterface> {
  function planOf(opened: OpenedInterface): Plan {
    const plan = submissionPlan(opened, '9 kB');
    const calls = plan.calls.map((call) => ({
      ...call,
      headers: { ...call.headers, 'X-Idempotency-Key': 'repeated' },
      numberAt: null,
    }));
    return { ...plan, calls, expected: [200, 201] };
  }
  return {
    name: `submit 9 kB again, same idempotency key, ${engine}`,
    compared: 'perSecond',
    measure: (bench, opened) => measureLoad(bench, opened.service().pid, planOf(opened), closed(bench)),
    baselines: async (bench, opened) => [await bareServer(bench, planOf(opened), closed(bench))],
  };
}
