import assert from 'node:assert/strict';
import { type OutboundStatus, transition } from '../../src/domain/documents/outbound-status.ts';
import { OUTBOUND_EVENTS } from '../support/outbound-events.ts';

/** Every row of a history follows from the one before by an allowed move, and time does not run backwards. */
export function assertGapFree(history: readonly { readonly status: number; readonly at: number | string }[]): void {
  assert.equal(history[0]?.status, 10);
  for (let index = 1; index < history.length; index += 1) {
    const [before, after] = [history[index - 1], history[index]];
    assert.ok(before !== undefined && after !== undefined);
    const reachable = OUTBOUND_EVENTS.map((event) => transition(before.status as OutboundStatus, event));
    assert.ok(reachable.includes(after.status as OutboundStatus), `${before.status} → ${after.status}`);
    assert.ok(after.at >= before.at);
  }
}
