export type FaultRates = {
  /** Share of sends that are processed, but whose connection is cut before the answer. */
  readonly loseAnswers: number;
  /** Share of sends whose connection is cut before they are processed. */
  readonly loseRequests: number;
  /** Share of calls of the query API whose connection is cut before the answer. */
  readonly loseQueries: number;
  /** With the same seed, the same calls of a sequence are lost. */
  readonly seed: number;
};

export type RandomFaults = {
  readonly set: (rates: Partial<FaultRates>) => FaultRates;
  readonly rates: () => FaultRates;
  readonly losesAnswer: () => boolean;
  readonly losesRequest: () => boolean;
  readonly losesQuery: () => boolean;
};

const NO_FAULTS: FaultRates = { loseAnswers: 0, loseRequests: 0, loseQueries: 0, seed: 1 };

export function createRandomFaults(initial: Partial<FaultRates>): RandomFaults {
  let rates = NO_FAULTS;
  let random = createRandom(rates.seed);
  const set = (wanted: Partial<FaultRates>) => {
    rates = { ...NO_FAULTS, ...wanted };
    random = createRandom(rates.seed);
    return rates;
  };
  set(initial);
  return {
    set,
    rates: () => rates,
    losesAnswer: () => rates.loseAnswers > 0 && random() < rates.loseAnswers,
    losesRequest: () => rates.loseRequests > 0 && random() < rates.loseRequests,
    losesQuery: () => rates.loseQueries > 0 && random() < rates.loseQueries,
  };
}

/** Mulberry32: a small generator that gives the same numbers on every machine. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
