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

/** A status with the moment of the change that led to it; null where the authority does not say when that was. */
export type DatedStatus = { readonly status: AuthorityStatus; readonly at: number | null };

/** With the code of the status before it; null where the authority does not say it. */
export type StatusStep = DatedStatus & { readonly from: string | null };

/**
 * Whether a change came after the one that is known: because it is of a later stage, whatever the authority's clock said, which may have
 * stepped back; else by the authority's own times, else because it began with the status that is known. An answer that was overtaken
 * begins with an earlier one.
 */
export function isLater(known: DatedStatus, next: StatusStep): boolean {
  const stages = stageOf(next.status) - stageOf(known.status);
  if (stages > 0) return true;
  if (known.at !== null && next.at !== null && known.at !== next.at) return next.at > known.at;
  return stages === 0 && next.from === known.status.code;
}

/** The status of a registered document that nobody has decided about. */
export const NEW_STATUS = '01';

/** The status of a registered document that was voided. */
export const VOIDED_STATUS = '07';

/** What a row of the history says about a later status. An acceptance by the buyer changes nothing for the issuer: it is no row. */
const HISTORY_CODES: Readonly<Record<string, string | undefined>> = {
  '05': 'UJP-REJECTED-BY-BUYER',
  [VOIDED_STATUS]: 'UJP-VOIDED',
};

export function historyCodeOf({ code }: AuthorityStatus): string | null {
  return Object.hasOwn(HISTORY_CODES, code) ? (HISTORY_CODES[code] ?? null) : null;
}
