import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  isOutboundStatus,
  OUTBOUND_STATUS,
  OUTBOUND_STATUSES,
  type OutboundEvent,
  type OutboundStatus,
  transition,
} from '../../../src/domain/documents/outbound-status.ts';
import { OUTBOUND_EVENTS } from '../../support/outbound-events.ts';

/** Every status, and what each event makes of it; what is not written here is not allowed. */
const TABLE: Readonly<Record<OutboundStatus, Partial<Record<OutboundEvent, OutboundStatus>>>> = {
  10: { prepare: 20, 'give-up': 55, cancel: 60 },
  20: { send: 30, 'give-up': 55, cancel: 60 },
  30: { accept: 40, reject: 50, 'try-again': 20, 'give-up': 55 },
  40: {},
  50: { reopen: 30 },
  55: { requeue: 20, cancel: 60 },
  60: {},
};

test('the statuses and their numbers are those of the interface', () => {
  assert.deepEqual(OUTBOUND_STATUS, {
    received: 10,
    processing: 20,
    sent: 30,
    accepted: 40,
    rejected: 50,
    failed: 55,
    cancelled: 60,
  });
  assert.deepEqual(OUTBOUND_STATUSES, [10, 20, 30, 40, 50, 55, 60]);
});

describe('every status meets every event as the table says', () => {
  for (const from of OUTBOUND_STATUSES) {
    for (const event of OUTBOUND_EVENTS) {
      const to = TABLE[from][event] ?? null;
      test(`${from} ${event} → ${to ?? 'not allowed'}`, () => assert.equal(transition(from, event), to));
    }
  }
});

test('the moves are exactly those the interface promises, and the one by which the operator reopens', () => {
  const moves = new Set<string>();
  for (const from of OUTBOUND_STATUSES) {
    for (const event of OUTBOUND_EVENTS) {
      const to = transition(from, event);
      if (to !== null) moves.add(`${from}→${to}`);
    }
  }
  const promised = '10→20 20→30 30→40 30→50 30→20 10→55 20→55 30→55 55→20 10→60 20→60 55→60 50→30'.split(' ');
  assert.deepEqual([...moves].toSorted(), promised.toSorted());
});

test('accepted and cancelled are final; rejected is, unless the operator reopens the document', () => {
  for (const from of [40, 50, 60] as const) {
    const leaving = OUTBOUND_EVENTS.filter((event) => transition(from, event) !== null);
    assert.deepEqual(leaving, from === 50 ? ['reopen'] : []);
  }
});

test('only the seven numbers are statuses', () => {
  for (let value = -1; value <= 100; value += 1) {
    assert.equal(isOutboundStatus(value), [10, 20, 30, 40, 50, 55, 60].includes(value));
  }
  assert.equal(isOutboundStatus(10.5), false);
  assert.equal(isOutboundStatus(Number.NaN), false);
});
