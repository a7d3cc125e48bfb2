import type { Foundation } from '../app/foundation.ts';
import { recordCommand } from '../application/audit/record-command.ts';
import { randomUuid } from '../domain/values/random-values.ts';

/** Published, like the keys: the console of the demo is reached from this machine alone. */
export const DEMO_OPERATOR = { name: 'demo', password: 'try-the-console' } as const;
/** Of that password, made once: it hides nothing, and to make it anew would be a fifth of the work of a start. */
const HASH = 'scrypt-16384-8-5-bidYN6qLjFMCgXXsJcjUhw-PmSUqQe6NqnlwyhZAWZe3VtRA5BM_LG_V1npE_jIo6w';

/** Adds the account of the console, where it is missing. */
export async function seedConsole({ storage, clock, random }: Foundation): Promise<void> {
  const { name } = DEMO_OPERATOR;
  const record = recordCommand({ operator: 'demo', clock, newId: () => randomUuid(random) });
  await storage.transaction(async (tx) => {
    const isNew = await tx.operators.add({ name, role: 'operator', createdAt: clock.now() }, HASH);
    if (isNew) await record(tx, { command: 'operator add', target: `${name} operator`, tenant: null });
  });
}
