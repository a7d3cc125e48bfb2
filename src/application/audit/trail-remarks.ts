import { type Message, message } from '../../domain/messages/message.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { shortText } from '../../domain/values/one-line-text.ts';
import type { TrailCheck } from './verify-audit-trail.ts';

/** What is no break, but would be one in a trail that nobody touched and whose database was never away. */
export function trailRemarks({ adoption, late }: Pick<TrailCheck, 'adoption' | 'late'>): readonly Message[] {
  const remarks: Message[] = [];
  if (adoption !== null) {
    const { until, entries } = adoption;
    remarks.push(message('trail-taken-over', { until: formatInstant(until), entries }));
  }
  if (late !== null) {
    remarks.push(message('trail-late', { entries: late.entries, first: shortText(late.first, 80) }));
  }
  return remarks;
}
