import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originFacts, readRequestId, readTraceparent } from '../../../src/domain/audit/call-origin.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

test('a usable request id of the caller is carried on, anything else is not', () => {
  for (const id of ['0b9f2a52-6a3f-4f5e-9f9c-3d1a6a0d7a11', 'ledger:2026.1_7', 'x'.repeat(128)])
    assert.equal(readRequestId(id), id);
  for (const id of [
    ...[undefined, '', 'short', 'x'.repeat(129), ' padded00', '-leading0', 'two, of them', 'line\nbreak'],
    ...['"quoted"00', '<script>0', 'кирилица', 'a\u001b[31mred', 'demo-alfa0000', `dostava_${'0'.repeat(38)}abcd`],
  ])
    assert.equal(readRequestId(id), null, id);
});

test('a trace is carried on when it is one of the W3C’s Trace Context', () => {
  assert.equal(readTraceparent(TRACEPARENT), TRACEPARENT);
  for (const text of [
    ...[undefined, '', TRACEPARENT.toUpperCase(), `${TRACEPARENT}-x`, `${TRACEPARENT}, ${TRACEPARENT}`],
    ...[`01${TRACEPARENT.slice(2)}`, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `00-${TRACE}-${'0'.repeat(16)}-01`],
  ])
    assert.equal(readTraceparent(text), null, text);
});

test('log lines have what is known', () => {
  assert.deepEqual(originFacts({ requestId: 'ledger-0001', traceparent: TRACEPARENT }), {
    requestId: 'ledger-0001',
    traceId: TRACE,
  });
  assert.deepEqual(originFacts({ requestId: null, traceparent: null }), {});
});
