import type { Bench } from '../bench.ts';
import type { Baseline, Compared, Figures, Row } from '../report/figures.ts';

/** Something that is measured on what its stage has opened. */
export type Scenario<Opened> = {
  readonly name: string;
  readonly compared: Compared;
  readonly measure: (bench: Bench, opened: Opened) => Promise<Figures>;
  readonly baselines: (bench: Bench, opened: Opened) => Promise<readonly Baseline[]>;
};

/** Scenarios that share what takes long to set up: a database, a running service. */
export type Stage = {
  readonly names: readonly string[];
  /** Measures those that are wanted, in their order; nothing is opened where none is. */
  readonly run: (bench: Bench, isWanted: (name: string) => boolean, tell: Tell) => Promise<void>;
};

export type Tell = {
  readonly begins: (name: string) => void;
  readonly measured: (row: Row) => void;
};

type Closable = { readonly close: () => Promise<void> };

export function createStage<Opened extends Closable>(
  open: (bench: Bench) => Promise<Opened>,
  scenarios: readonly Scenario<Opened>[],
): Stage {
  return {
    names: scenarios.map(({ name }) => name),
    async run(bench, isWanted, { begins, measured }) {
      const wanted = scenarios.filter(({ name }) => isWanted(name));
      const [first] = wanted;
      if (first === undefined) return;
      begins(first.name);
      const opened = await open(bench);
      try {
        for (const { name, compared, measure, baselines } of wanted) {
          if (name !== first.name) begins(name);
          const figures = await measure(bench, opened);
          measured({ name, compared, figures, baselines: await baselines(bench, opened) });
        }
      } finally {
        await opened.close();
      }
    },
  };
}
