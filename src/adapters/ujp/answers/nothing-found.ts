import { AuthorityCallError } from '../../../application/ports/authority.ts';

/** The answer, or `nothing` where the authority says by one of these codes that there is none. */
export async function unlessNothingFound<Result, Nothing>(
  answer: Promise<Result>,
  codes: readonly string[],
  nothing: Nothing,
): Promise<Result | Nothing> {
  try {
    return await answer;
  } catch (error) {
    if (isRefusedWith(error, codes)) return nothing;
    throw error;
  }
}

function isRefusedWith(error: unknown, codes: readonly string[]): boolean {
  if (!(error instanceof AuthorityCallError) || error.kind !== 'refused') return false;
  return error.errors.some(({ code }) => code !== null && codes.includes(code));
}
