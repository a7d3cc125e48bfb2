import { isSameEuid } from '../../domain/documents/euid.ts';
import type { OutboundDocument } from '../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import type { StrayRegistration } from '../ports/storage/outbound/stray-registration-store.ts';
import type { OutboundVoid } from '../ports/storage/outbound/void-store.ts';

/**
 * One that came too early or too late may turn out to be the document's own, or that of its void. What was found for another while the
 * document was accepted with it stays.
 */
export function belongsToDocument(
  { euid, act, status }: StrayRegistration,
  { ujp }: Pick<OutboundDocument, 'ujp'>,
  ownVoid: Pick<OutboundVoid, 'voidEuid'> | null,
): boolean {
  if (act.startsWith('void')) return isSameEuid(ownVoid?.voidEuid, euid);
  return isSameEuid(ujp?.euid, euid) && status !== OUTBOUND_STATUS.accepted;
}
