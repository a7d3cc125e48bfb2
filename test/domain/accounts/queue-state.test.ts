import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  afterRefusal,
  isOlderThanStop,
  mostUnderWay,
  type QueueState,
} from '../../../src/domain/accounts/queue-state.ts';
import { firstDocUidAt } from '../../../src/domain/documents/doc-uid.ts';

const NOW = 1_000_000_000;
const MINUTE = 60_000;
const [ONE, OTHER] = [firstDocUidAt(NOW), firstDocUidAt(NOW + 1)];
const CLEAR: QueueState = { stopped: null, timesStopped: 0, refusalsInARow: 0, refusedDocument: null, resumedAt: null };

const refuse = (state: QueueState, docUid = ONE, now = NOW) => afterRefusal(state, { docUid, reason: 'why', now });

test('two documents may be under way; after a refusal one; after two of different documents none until the pause is over', () => {
  assert.equal(mostUnderWay(CLEAR, NOW), 2);
  const once = refuse(CLEAR);
  assert.deepEqual(once, { ...CLEAR, refusalsInARow: 1, refusedDocument: ONE });
  assert.equal(mostUnderWay(once, NOW), 1);
  const twice = refuse(once, OTHER);
  const stopped = { until: NOW + 5 * MINUTE, since: NOW, reason: 'why', cause: 'refused-requests' } as const;
  assert.deepEqual(twice, { ...CLEAR, stopped, timesStopped: 1, refusalsInARow: 2 });
  assert.deepEqual([mostUnderWay(twice, stopped.until - 1), mostUnderWay(twice, stopped.until)], [0, 1]);
});

test('a stop that ends later than any stop can is over: a wrong clock has written it', () => {
  const twice = refuse(refuse(CLEAR), OTHER, NOW + 2 * 60 * MINUTE);
  assert.equal(mostUnderWay(twice, NOW + 2 * 60 * MINUTE), 0);
  assert.equal(mostUnderWay(twice, NOW), 1);
  assert.equal(
    refuse(twice, ONE, NOW).stopped?.until,
    NOW + 10 * MINUTE,
    'and the next one is as long as it should be',
  );
});

test('the longest stop is on also for who looked at the clock just before it was written', () => {
  let state = refuse(refuse(CLEAR), OTHER);
  let writtenAt = NOW;
  for (let times = 1; times <= 6; times += 1) {
    assert.equal(mostUnderWay(state, writtenAt - 1), 0, `stop ${times}`);
    assert.equal(mostUnderWay(state, writtenAt - 30_000), 0, `stop ${times}`);
    writtenAt = state.stopped?.until ?? 0;
    state = refuse(state, ONE, writtenAt);
  }
});

test('two refusals of one document stop the tenant as well, but others may be tried, one at a time', () => {
  const twice = refuse(refuse(CLEAR));
  assert.equal(twice.stopped?.cause, 'refused-document');
  assert.equal(mostUnderWay(twice, NOW), 1);
  const other = refuse(twice, OTHER, NOW + MINUTE);
  assert.deepEqual([other.stopped?.cause, other.stopped?.until], ['refused-requests', NOW + 5 * MINUTE]);
  assert.equal(mostUnderWay(other, NOW + MINUTE), 0);
});

test('each stop in a row lasts twice as long, up to an hour, and counts since the first', () => {
  let state = refuse(refuse(CLEAR), OTHER);
  const pauses: number[] = [];
  for (let now = NOW; pauses.length < 6; ) {
    const { until = 0, since = 0 } = state.stopped ?? {};
    assert.equal(since, NOW);
    pauses.push((until - now) / MINUTE);
    now = until;
    state = refuse(state, ONE, now);
  }
  assert.deepEqual(pauses, [5, 10, 20, 40, 60, 60]);
});

test('a stop because of the account stays one while it runs', () => {
  const stopped = { until: NOW + MINUTE, since: NOW, reason: 'E1012', cause: 'account' } as const;
  const state = refuse({ ...CLEAR, stopped, timesStopped: 1 });
  assert.deepEqual(state.stopped, stopped);
  assert.equal(mostUnderWay(state, NOW), 0);
});

test('the first stop because of refused requests lasts five minutes, also after stops because of the account', () => {
  const stopped = { until: NOW, since: NOW - 15 * MINUTE, reason: 'E1012', cause: 'account' } as const;
  const state = refuse({ ...CLEAR, stopped, timesStopped: 4 });
  assert.deepEqual([state.stopped?.until, state.timesStopped], [NOW + 5 * MINUTE, 1]);
});

test('a request that was sent before the tenant was stopped last is older than the stop, and no other', () => {
  const once = refuse(refuse(CLEAR), OTHER);
  const again = refuse(once, ONE, once.stopped?.until ?? 0);
  const begun = once.stopped?.until ?? 0;
  assert.deepEqual(
    [null, begun - 1, begun, begun + 1].map((sentAt) => isOlderThanStop(again, sentAt)),
    [false, true, false, false],
  );
  assert.equal(isOlderThanStop(CLEAR, 0), false);
  // Whoever ended the stop does not want to hear again of what was sent before.
  const resumed = { ...CLEAR, resumedAt: NOW };
  assert.deepEqual(
    [NOW - 1, NOW, NOW + 1].map((sentAt) => isOlderThanStop(resumed, sentAt)),
    [true, false, false],
  );
});

test('a running stop that gets the account as its cause began when it began', () => {
  const times = 3;
  const begun = NOW + 5 * MINUTE;
  const until = begun + 20 * MINUTE;
  const stopped = { until, since: NOW, reason: 'E1012', cause: 'account' } as const;
  const state = { ...CLEAR, stopped, timesStopped: times };
  assert.deepEqual(
    [begun - 1, begun, begun + MINUTE, until - MINUTE].map((sentAt) => isOlderThanStop(state, sentAt)),
    [true, false, false, false],
  );
});
