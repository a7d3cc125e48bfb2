import type { HttpAnswer } from '../answers/exchange.ts';
import { compareAnswer } from './compare-answer.ts';
import type { Deviation } from './compare-shape.ts';
import { type ServiceName, serviceNameOf, shapeOf } from './service-shapes.ts';

/** Longer answers list documents of many days; comparing them would take the thread that answers for too long. */
const MAX_COMPARED_BYTES = 1_048_576;
const SUCCESS = { from: 200, to: 299 };

export type WatchAnswer = (service: { readonly path: string }, answer: HttpAnswer) => void;

type Needs = {
  /** Called for every answer that deviates. */
  readonly onAnswer: (service: ServiceName) => void;
  /** Called once for each service and kind of deviation. What was found is left out: it may be part of a document. */
  readonly onFirst: (service: ServiceName, deviation: Omit<Deviation, 'found'>) => void;
};

/** Notices when the authority's answers begin to differ from what we expect of them. Reading goes on as it can. */
export function watchAnswers({ onAnswer, onFirst }: Needs): WatchAnswer {
  const told = new Set<string>();
  return ({ path }, answer) => {
    const name = serviceNameOf(path);
    // An outage answers as it likes: only what calls itself a success is compared.
    const isComparable = answer.status >= SUCCESS.from && answer.status <= SUCCESS.to;
    if (name === null || !isComparable || answer.bytes.length > MAX_COMPARED_BYTES) return;
    const compared = compareAnswer(shapeOf(name), answer);
    if (compared.outcome === 'errors' || compared.deviations.length === 0) return;
    onAnswer(name);
    for (const { found: _found, ...deviation } of compared.deviations) {
      const key = `${name} ${deviation.kind}`;
      if (!told.has(key)) onFirst(name, deviation);
      told.add(key);
    }
  };
}
