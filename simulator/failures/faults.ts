export type FaultRates = {
  /** Share of sends that are processed and then cut off before the answer. */
  readonly loseAnswers: number;
  /** Share of sends that are cut off unread. */
  readonly loseRequests: number;
  /** Share of calls of the query API that are cut off before the answer. */
  readonly loseQueries: number;
  /** The same seed loses the same ones of a sequence of calls. */
  readonly seed: number;
};

export type Faults = {
  readonly set: (rates: Partial<FaultRates>) => FaultRates;
  readonly rates: () => FaultRates;
  readonly losesAnswer: () => boolean;
  readonly losesRequest: () => boolean;
  readonly losesQuery: () => boolean;
};

export const NO_FAULTS: FaultRates = { loseAnswers: 0, loseRequests: 0, loseQueries: 0, seed: 1 };

export function createFaults(initial: Partial<FaultRates>): Faults {
  let rates = NO_FAULTS;
  let chance = createChance(rates.seed);
  const set = (wanted: Partial<FaultRates>) => {
    rates = { ...NO_FAULTS, ...wanted };
    chance = createChance(rates.seed);
    return rates;
  };
  set(initial);
  return {
    set,
    rates: () => rates,
    losesAnswer: () => rates.loseAnswers > 0 && chance() < rates.loseAnswers,
    losesRequest: () => rates.loseRequests > 0 && chance() < rates.loseRequests,
    losesQuery: () => rates.loseQueries > 0 && chance() < rates.loseQueries,
  };
}

/** Mulberry32: small, even, and the same everywhere. */
function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
