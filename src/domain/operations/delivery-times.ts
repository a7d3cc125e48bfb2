/** Each step of delivery time is longer than the one before by this factor: a percentile is exact to a quarter. */
const FACTOR = 1.25;
const SHORTEST_MS = 50;
/** A week; what takes longer counts as that. */
const LAST_STEP = Math.ceil(Math.log((7 * 86_400_000) / SHORTEST_MS) / Math.log(FACTOR));

/** The step that a delivery time belongs to. A clock that stepped back gives the first. */
export function stepOfTime(ms: number): number {
  if (ms <= SHORTEST_MS) return 0;
  return Math.min(LAST_STEP, Math.ceil(Math.log(ms / SHORTEST_MS) / Math.log(FACTOR)));
}

/** The time that a share of the deliveries took at most; null where there were none. */
export function percentileMs(documentsByStep: ReadonlyMap<number, number>, share: number): number | null {
  const steps = [...documentsByStep].filter(([, documents]) => documents > 0).sort(([one], [other]) => one - other);
  const total = steps.reduce((sum, [, documents]) => sum + documents, 0);
  let passed = 0;
  for (const [step, documents] of steps) {
    passed += documents;
    if (passed >= share * total) return SHORTEST_MS * FACTOR ** step;
  }
  return null;
}
