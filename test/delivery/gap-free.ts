import assert from 'node:assert/strict';
import { type OutboundStatus, transition } from '../../src/domain/documents/outbound-status.ts';
import { OUTBOUND_EVENTS } from '../support/outbound-events.ts';

type Row = { readonly status: number; readonly at: number | string; readonly failureCode?: string | null };

/** What happens to a registered document without a move. */
const AFTER_ACCEPTANCE = new Set(['UJP-REJECTED-BY-BUYER', 'UJP-VOIDED']);

/** Every row of a history follows from the one before by an allowed move, and time does not run backwards. */
export function assertGapFree(history: readonly Row[]): void {
  assert.equal(history[0]?.status, 10);
  for (let index = 1; index < history.length; index += 1) {
    const [before, after] = [history[index - 1], history[index]];
    assert.ok(before !== undefined && after !== undefined);
    const reachable = OUTBOUND_EVENTS.map((event) => transition(before.status as OutboundStatus, event));
    const isLaterStatus = AFTER_ACCEPTANCE.has(after.failureCode ?? '') && before.status === 40 && after.status === 40;
    assert.ok(
      isLaterStatus || reachable.includes(after.status as OutboundStatus),
      `${before.status} → ${after.status}`,
    );
    assert.ok(after.at >= before.at);
  }
}
