import type { Clock } from '../../../application/ports/platform.ts';

type Kept<Value> = { readonly value: Promise<Value>; readonly until: number };

/**
 * Remembers what a question was answered for a while. Those who ask the same at the same time share one answer; a failure is
 * not remembered.
 */
export function remembered<Value>(
  clock: Clock,
  limits: { readonly keptMs: number; readonly most: number },
): (name: string, ask: () => Promise<Value>) => Promise<Value> {
  const answers = new Map<string, Kept<Value>>();
  return (name, ask) => {
    const now = clock.now();
    const known = answers.get(name);
    if (known !== undefined && known.until > now) return known.value;
    if (answers.size >= limits.most) answers.clear();
    const value = ask();
    answers.set(name, { value, until: now + limits.keptMs });
    value.catch(() => answers.delete(name));
    return value;
  };
}
