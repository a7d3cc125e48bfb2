import { type Child, type Children, createChildren } from './processes/children.ts';
import type { Figures } from './report/figures.ts';
import type { Settings } from './settings.ts';

/** What scenarios are measured with. */
export type Bench = {
  /** Of this run alone; gone after it. */
  readonly folder: string;
  readonly settings: Settings;
  /** Whoever works for long in the process of the bench looks at it in between. */
  readonly stop: AbortSignal;
  readonly children: Children;
  /** A process that is started with the first who needs it and serves all others. */
  readonly shared: <Facts>(program: string) => Promise<Child<Facts>>;
  /** Measured once in a run, for all scenarios that are compared with it. */
  readonly once: (key: string, measure: () => Promise<Figures>) => Promise<Figures>;
};

export function createBench(folder: string, settings: Settings, stop: AbortSignal): Bench {
  const children = createChildren(folder);
  const running = new Map<string, Promise<Child<unknown>>>();
  const measured = new Map<string, Promise<Figures>>();
  return {
    folder,
    settings,
    stop,
    children,
    shared<Facts>(program: string): Promise<Child<Facts>> {
      const child = running.get(program) ?? children.start<unknown>(program);
      running.set(program, child);
      return child as Promise<Child<Facts>>;
    },
    once(key, measure) {
      const figures = measured.get(key) ?? measure();
      measured.set(key, figures);
      return figures;
    },
  };
}
