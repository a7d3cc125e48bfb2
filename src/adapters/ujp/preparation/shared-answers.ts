import { AuthorityCallError } from '../../../application/ports/authority.ts';
import { NoTurnInTime } from '../../../application/ports/pace.ts';
import type { AnswerCache } from '../../platform/ttl-cache.ts';

/**
 * Tenants share cached answers, but each query is sent with the credentials of the tenant that came first, and waits in its line. When it
 * failed because of those, the tenant that waited for it repeats it with its own.
 */
export async function sharedOrOwn<Value>(
  answers: AnswerCache<string, Value>,
  name: string,
  ask: () => Promise<Value>,
): Promise<Value> {
  let isOwn = false;
  const askFirst = () => {
    isOwn = true;
    return ask();
  };
  try {
    return await answers.answer(name, askFirst);
  } catch (error) {
    if (!isOwn && isAboutAsker(error)) return ask();
    throw error;
  }
}

function isAboutAsker(error: unknown): boolean {
  return error instanceof NoTurnInTime || (error instanceof AuthorityCallError && error.kind === 'credentials');
}

/** Thrown, so that it is not kept: what is missing now may be there when the document is requeued. */
class NotFound extends Error {
  override readonly name = 'NotFound';
}

export async function required<Value>(answer: Promise<Value | null>): Promise<Value> {
  const value = await answer;
  if (value === null) throw new NotFound();
  return value;
}

export function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}
