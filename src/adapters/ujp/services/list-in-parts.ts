import { daySpans } from '../../../domain/values/skopje-day.ts';
import { isTooMuch } from '../answers/answer-error.ts';

const DAY_MS = 86_400_000;

/**
 * What the authority lists from one day to another; in halves, and halves of these, where it does not fit into an answer or onto a page, or
 * does not come in time. Throws where a single day does not.
 */
export async function listInParts<Listed>(
  first: string,
  last: string,
  list: (from: string, to: string) => Promise<Listed>,
): Promise<readonly Listed[]> {
  try {
    return [await list(first, last)];
  } catch (error) {
    if (!isTooMuch(error) || first === last) throw error;
  }
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  const parts: Listed[] = [];
  for (const { from, to } of daySpans(first, last, Math.ceil(days / 2))) {
    parts.push(...(await listInParts(from, to, list)));
  }
  return parts;
}
