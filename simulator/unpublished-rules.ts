/**
 * What the authority does here is not published, or is contradictory. Each rule has the likeliest value by default, and can be
 * changed to rehearse what a client does if the authority works otherwise.
 */
export type Rules = {
  /** By how much an amount may differ from its formula (the authority's published reference, §3.9), in the document's currency. */
  readonly tolerance: number;
  /** References in a document whose type is served with `hasReference: false` (§3.4). */
  readonly undeclaredReferences: 'accepted' | 'refused';
  /**
   * References of the day of the document: they must precede it, but equal dates of turnover were accepted live under the same words
   * (§3.3, §3.4).
   */
  readonly sameDayReferences: 'accepted' | 'refused';
  /** Whether the request for a container must be signed, must not be, or either (§2.4). */
  readonly containerRequests: 'signed' | 'unsigned' | 'both';
};

export type CurrentRules = {
  readonly current: () => Rules;
  /** A rule that is not given gets its default. */
  readonly set: (wanted: Partial<Rules>) => Rules;
};

/** The values that a rule can have; a number for the greatest value of a number. */
export const RULE_VALUES = {
  tolerance: 1_000,
  undeclaredReferences: ['accepted', 'refused'],
  sameDayReferences: ['accepted', 'refused'],
  containerRequests: ['signed', 'unsigned', 'both'],
} as const;

const DEFAULTS: Rules = {
  tolerance: 0.01,
  undeclaredReferences: 'accepted',
  sameDayReferences: 'refused',
  containerRequests: 'both',
};

export function createRules(initial: Partial<Rules>): CurrentRules {
  let rules: Rules = { ...DEFAULTS, ...initial };
  return {
    current: () => rules,
    set: (wanted) => {
      rules = { ...DEFAULTS, ...wanted };
      return rules;
    },
  };
}
