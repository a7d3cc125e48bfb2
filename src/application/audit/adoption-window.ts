import { message } from '../../domain/messages/message.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import type { AuditSealStore } from '../ports/storage/audit-seal-store.ts';
import type { TrailBreak } from './compare-block.ts';
import { CLOCK_DIFFERENCE_MS, DAY_MS } from './expire-audit-trail.ts';

/** Entries without a digest are taken over up to this time; null when none are. */
export type AdoptionWindow = { readonly until: number; readonly break: TrailBreak | null };

/**
 * Entries of a database from before the seals have no digest, and processes of the version before write such entries for a day after
 * the migration. The first seal was made after the migration: whatever names a time more than a day after that seal, an entry or the
 * end of the adoption itself, was not there in those days.
 */
export async function adoptionWindow(seals: AuditSealStore): Promise<AdoptionWindow | null> {
  const adoption = await seals.adoption();
  if (adoption === null) return null;
  const [first] = await seals.seals(Number.MIN_SAFE_INTEGER, 1);
  const latest = first === undefined ? Number.POSITIVE_INFINITY : first.sealedAt + DAY_MS + CLOCK_DIFFERENCE_MS;
  const isChanged = adoption.rows > 1 || adoption.until > latest;
  return {
    until: Math.min(adoption.until, latest),
    break: isChanged ? adoptionChanged(adoption.until) : null,
  };
}

function adoptionChanged(until: number): TrailBreak {
  const said = message('trail-adoption-changed', { until: formatInstant(until) });
  return { kind: 'adoption-changed', block: null, entry: null, said };
}
