import type { EarlierDocument, ReferredDocument } from '../../../../application/ports/authority.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { DocumentKind } from '../../../../domain/documents/invoice-facts.ts';
import { OUTBOUND_STATUS } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { OF_PRESENT_ENVIRONMENT } from './former-environment.ts';

type AcceptedRow = {
  readonly id: DocUid;
  readonly kind: DocumentKind;
  readonly document_number: string;
  readonly issue_date: string;
  readonly euid: string;
};

/** Numbers looked up by one statement; the last is repeated to fill it, so that one prepared statement is enough. */
const NUMBERS_PER_LOOKUP = 64;

const PLACES = Array.from({ length: NUMBERS_PER_LOOKUP }, (_, index) => `$${index + 2}`);

/** The index holds the first 60 characters of a number. */
const FIND_ACCEPTED = `
  select id, kind, document_number, issue_date, euid from outbound /*sqlite indexed by outbound_by_number*/
  where tenant = $1 and doc_uid is not null
    and substr(document_number, 1, 60) in (${PLACES.map((place) => `substr(${place}, 1, 60)`).join()})
    and document_number in (${PLACES.join()})
    and status = ${OUTBOUND_STATUS.accepted} and euid is not null and issue_date is not null
    and ${OF_PRESENT_ENVIRONMENT}`;

/** The accepted documents that are referred to, each in the place of its reference; null where there is none. */
export async function findAccepted(
  sql: Sql,
  tenant: Edb,
  references: readonly ReferredDocument[],
): Promise<readonly (EarlierDocument | null)[]> {
  const numbers = [...new Set(references.map(({ number }) => number))];
  const rows: AcceptedRow[] = [];
  for (let start = 0; start < numbers.length; start += NUMBERS_PER_LOOKUP) {
    const part = numbers.slice(start, start + NUMBERS_PER_LOOKUP);
    const wanted = PLACES.map((_, index) => part[index] ?? part.at(-1) ?? '');
    rows.push(...(await sql.all<AcceptedRow>(FIND_ACCEPTED, [tenant, ...wanted])));
  }
  const byNumber = Map.groupBy(rows, (row) => row.document_number);
  return references.map(({ number, date }) => {
    const matching = (byNumber.get(number) ?? []).filter((row) => date === null || row.issue_date === date);
    const [best] = matching.toSorted(betterFirst);
    return best === undefined ? null : { euid: best.euid, issueDate: best.issue_date };
  });
}

/** Invoices before credit notes, then the newest. */
function betterFirst(one: AcceptedRow, other: AcceptedRow): number {
  const isInvoice = (row: AcceptedRow) => Number(row.kind === 'Invoice');
  return isInvoice(other) - isInvoice(one) || (one.id < other.id ? 1 : -1);
}
