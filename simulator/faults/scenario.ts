/** The test scenario that the number of a document selects; README.md has the table for integrators. */
export type Scenario =
  | { readonly kind: 'reject'; readonly code: string }
  | { readonly kind: 'timeout' | 'timeout-after' | '502-html' | 'lost-answer' | 'slow' | 'busy' }
  | { readonly kind: 'buyer-accepts' | 'buyer-rejects' | 'none' };

const REJECT = /^SIM-REJECT-(E\d{4,6})(?:-|$)/u;

/** The first match counts, so SIM-TIMEOUT-AFTER comes before SIM-TIMEOUT. */
const PREFIXES = [
  ['SIM-TIMEOUT-AFTER', 'timeout-after'],
  ['SIM-TIMEOUT', 'timeout'],
  ['SIM-502-HTML', '502-html'],
  ['SIM-LOST-ANSWER', 'lost-answer'],
  ['SIM-SLOW', 'slow'],
  ['SIM-BUSY', 'busy'],
  ['SIM-BUYER-ACCEPTS', 'buyer-accepts'],
  ['SIM-BUYER-REJECTS', 'buyer-rejects'],
] as const;

export function scenarioOf(docNumber: unknown): Scenario {
  if (typeof docNumber !== 'string') return { kind: 'none' };
  const code = REJECT.exec(docNumber)?.[1];
  if (code !== undefined) return { kind: 'reject', code };
  const found = PREFIXES.find(([prefix]) => docNumber === prefix || docNumber.startsWith(`${prefix}-`));
  return { kind: found?.[1] ?? 'none' };
}
