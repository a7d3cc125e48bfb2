/** The test scenario that the number of a document selects; docs/delivery.md has the table for integrators. */
export type Scenario =
  | { readonly kind: 'reject'; readonly code: string }
  | { readonly kind: (typeof KINDS)[keyof typeof KINDS] | 'none' };

/** What begins the number of a document that is a test scenario. */
export const SCENARIO_PREFIX = 'SIM-';

/** Short, because a number has at most 20 characters. */
const KINDS = {
  BUSY: 'busy',
  SLOW: 'slow',
  LOST: 'lost-answer',
  SILENT: 'timeout-after',
  TIMEOUT: 'timeout',
  HTML: '502-html',
  'BUYER-YES': 'buyer-accepts',
  'BUYER-NO': 'buyer-rejects',
} as const;

const SCENARIO = new RegExp(
  `^${SCENARIO_PREFIX}(?:(?<code>E\\d{4,6})|(?<name>${Object.keys(KINDS).join('|')}))(?:-|$)`,
  'u',
);

/** Any code of the authority can be in its place. */
export const EXAMPLE_CODE = 'E1020';

/** As they are shown to whoever looks for one. */
export const SCENARIOS: readonly string[] = [EXAMPLE_CODE, ...Object.keys(KINDS)].map(
  (name) => `${SCENARIO_PREFIX}${name}`,
);

export function scenarioOf(docNumber: unknown): Scenario {
  const { code, name } = (typeof docNumber === 'string' && SCENARIO.exec(docNumber)?.groups) || {};
  if (code !== undefined) return { kind: 'reject', code };
  return { kind: name === undefined ? 'none' : KINDS[name as keyof typeof KINDS] };
}
