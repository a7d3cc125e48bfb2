import { hash } from 'node:crypto';
import { type History, runHistory } from './history.ts';
import { shrinkPlan } from './shrink.ts';
import { createTemplate, type DatabaseSource, type Template } from './world/template.ts';

/** What a number of histories came to. */
export type Summary = {
  readonly histories: number;
  readonly events: number;
  readonly crashes: number;
  readonly faults: number;
  readonly documents: number;
  readonly registrations: number;
  /** SHA-256 over the traces, in order: the same on every machine that runs the same seeds of the same program. */
  readonly digest: string;
  /** With their plans shrunk. */
  readonly broken: readonly History[];
};

type Options = {
  readonly onHistory?: (history: History, summary: Summary) => void;
  /** After so many broken ones the rest is not run. */
  readonly mostBroken?: number;
  /** Whether the fault plans of broken histories are shrunk, as by default. */
  readonly shrinks?: boolean;
  /** Whether histories come with the lines of their traces. */
  readonly keepsTrace?: boolean;
};

export const NOTHING: Summary = {
  histories: 0,
  events: 0,
  crashes: 0,
  faults: 0,
  documents: 0,
  registrations: 0,
  digest: '',
  broken: [],
};

export async function withTemplate<Result>(
  work: (template: Template) => Promise<Result>,
  source?: DatabaseSource,
): Promise<Result> {
  const template = await createTemplate(source);
  try {
    return await work(template);
  } finally {
    await template.remove();
  }
}

/** Runs one history a seed, and shrinks the plans of those that break a promise. */
export async function runSeeds(
  template: Template,
  seeds: Iterable<number>,
  { onHistory = () => undefined, mostBroken = 1, shrinks = true, keepsTrace = false }: Options = {},
): Promise<Summary> {
  let summary = NOTHING;
  for (const seed of seeds) {
    const history = await runHistory(template, seed, { keepsTrace });
    const shrink = () => shrinkPlan(history, (plan) => runHistory(template, seed, { plan }));
    const broken = history.violations.length === 0 ? [] : [shrinks ? await shrink() : history];
    summary = addHistory(summary, history, broken);
    onHistory(history, summary);
    if (summary.broken.length >= mostBroken) break;
  }
  return summary;
}

/** What they come to with one more. */
export function addHistory(summary: Summary, history: History, broken: readonly History[]): Summary {
  return {
    histories: summary.histories + 1,
    events: summary.events + history.events,
    crashes: summary.crashes + history.crashes,
    faults: summary.faults + history.plan.length,
    documents: summary.documents + history.documents,
    registrations: summary.registrations + history.registrations,
    digest: hash('sha256', summary.digest + history.digest),
    broken: [...summary.broken, ...broken],
  };
}
