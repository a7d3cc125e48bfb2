import { readEdb } from '../../src/application/accounts/manage-tenants.ts';

// What the documents of long lists are like, for those who write them and those who look for them.

const MOST_DOCUMENTS = 10_000_000;

/** The other tenants' tax numbers are every second one from here on. */
export const OTHERS_FROM = 4_020_000_000_000;
/** The large tenant stands among the others, as it would by chance: its documents lie at no end of any index. */
export const TENANT = readEdb(String(OTHERS_FROM + 10_001));
export const DOCUMENTS_OF_OTHERS = 10;

/** Documents go to these partners in turns; after the last of them one goes to somebody without a tax number. */
export const PARTNERS_FROM = 4_080_000_000_000;
export const PARTNERS = 10;
export const TURNS = PARTNERS + 1;

/** Between two documents of a tenant. */
export const STEP_MS = 1_000;
const DAY_MS = 86_400_000;
const FIRST_AT = Date.now() - DAY_MS - MOST_DOCUMENTS * STEP_MS;

/** When the document of that place in the tenant's list was made. */
export function timeOf(seq: number): number {
  return FIRST_AT + seq * STEP_MS;
}

/** To whom it went. */
export function partnerOf(seq: number): string | null {
  const turn = seq % TURNS;
  return turn < PARTNERS ? String(PARTNERS_FROM + turn) : null;
}
