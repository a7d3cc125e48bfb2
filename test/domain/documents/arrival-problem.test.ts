import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivalPauseMs, isArrivalWaiting } from '../../../src/domain/documents/arrival-problem.ts';
import { MORNING } from '../../engines/samples.ts';

test('an arrival waits for its next try for as long as the longest pause, and not for a time that a wrong clock has left', () => {
  const longestMs = arrivalPauseMs(100);
  const isWaiting = (dueAt: number | null) => isArrivalWaiting({ dueAt }, MORNING);
  assert.deepEqual([isWaiting(MORNING + 1), isWaiting(MORNING + longestMs)], [true, true]);
  assert.deepEqual([isWaiting(MORNING), isWaiting(MORNING + longestMs + 1), isWaiting(null)], [false, false, false]);
});
