/** The authority's own status of a registered document, for example 01 sent, 03 accepted by the buyer, 05 refused. */
export type AuthorityStatus = { readonly code: string; readonly name: string | null };

/** How far a document has come: the buyer decides about a new one, and the issuer may void or correct it after that as well. */
const STAGES: Readonly<Record<string, number>> = {
  '00': 0,
  '01': 1,
  '03': 2,
  '04': 2,
  '05': 2,
  '10': 2,
  '07': 3,
  '09': 3,
};
const STAGE_OF_OTHERS = 2;

/** Whether a status can be later than another one: an answer that was overtaken by a later one must not take a document back. */
export function mayFollow(previous: AuthorityStatus | null, next: AuthorityStatus): boolean {
  return previous === null || stageOf(next) >= stageOf(previous);
}

function stageOf({ code }: AuthorityStatus): number {
  return STAGES[code] ?? STAGE_OF_OTHERS;
}
