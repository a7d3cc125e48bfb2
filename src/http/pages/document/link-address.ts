import type { Direction } from '../../../application/views/view-document.ts';

/** The token is in the query, which neither the log nor the audit trail keeps. */
export function linkAddress(direction: Direction, docUid: string, token: string): string {
  return `/view/${direction}/${docUid}?link=${token}`;
}
