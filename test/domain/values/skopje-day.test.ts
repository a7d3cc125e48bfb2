import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { daysBetween } from '../../../simulator/calendar.ts';
import {
  daySpans,
  daysAfter,
  parseTimeLimit,
  skopjeDay,
  skopjeDayStart,
} from '../../../src/domain/values/skopje-day.ts';
import { fc } from '../../support/seeds.ts';
import { anySkopjeTime } from '../../support/skopje-times.ts';

describe('the day in Skopje', () => {
  const cases = [
    ['2026-01-15T22:59:59.999Z', '2026-01-15'],
    ['2026-01-15T23:00:00Z', '2026-01-16'],
    ['2026-07-15T21:59:59.999Z', '2026-07-15'],
    ['2026-07-15T22:00:00Z', '2026-07-16'],
    // The nights in which the clocks change: 29 March and 25 October 2026.
    ['2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['2026-03-28T23:00:00Z', '2026-03-29'],
    ['2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['2026-03-29T22:00:00Z', '2026-03-30'],
    ['2026-10-24T22:00:00Z', '2026-10-25'],
    ['2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['2026-10-25T23:00:00Z', '2026-10-26'],
    ['2026-12-31T23:00:00Z', '2027-01-01'],
    ['2024-02-28T23:00:00Z', '2024-02-29'],
    ['0026-01-15T12:00:00Z', '0026-01-15'],
  ] as const;
  for (const [instant, day] of cases) {
    test(`${instant} is ${day}`, () => assert.equal(skopjeDay(Date.parse(instant)), day));
  }
});

test('a day in Skopje begins at its midnight, in winter, in summer and on the days the clock changes', () => {
  for (const [day, start] of [
    ['2026-01-15', '2026-01-14T23:00:00.000Z'],
    ['2026-07-15', '2026-07-14T22:00:00.000Z'],
    ['2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', '2026-10-25T23:00:00.000Z'],
  ] as const) {
    const found = skopjeDayStart(day);
    assert.equal(new Date(found).toISOString(), start);
    assert.deepEqual([skopjeDay(found), skopjeDay(found - 1) < day], [day, true]);
  }
});

/** By the time zone data of the platform. */
const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Skopje' });

describe('days in Skopje', () => {
  test('are those of the calendar there, also when the clock has changed', () => {
    fc.assert(fc.property(anySkopjeTime, (time) => assert.equal(skopjeDay(time), calendar.format(time))));
  });

  test('follow each other without a gap', () => {
    fc.assert(
      fc.property(anySkopjeTime, (time) => {
        const today = skopjeDay(time);
        const end = skopjeDayStart(daysAfter(today, 1));
        assert.deepEqual([skopjeDay(end), skopjeDay(end - 1)], [daysAfter(today, 1), today]);
        assert.equal(daysAfter(daysAfter(today, 1), -1), today);
        assert.ok([23, 24, 25].includes((end - skopjeDayStart(today)) / 3_600_000));
      }),
    );
  });

  test('are each in one span, and no span has more than was allowed', () => {
    const count = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(anySkopjeTime, count, fc.integer({ min: 1, max: 40 }), (time, days, most) => {
        const first = skopjeDay(time);
        const last = daysAfter(first, days);
        const spans = daySpans(first, last, most).map(({ from, to }) => daysBetween(from, to));
        assert.deepEqual(spans.flat(), daysBetween(first, last));
        assert.ok(spans.every(({ length }) => length >= 1 && length <= most));
      }),
    );
  });
});

describe('a time limit', () => {
  test('that is a day includes the whole of it, and nothing of its neighbours', () => {
    fc.assert(
      fc.property(anySkopjeTime, anySkopjeTime, (time, other) => {
        const day = skopjeDay(other);
        const [from, to] = [parseTimeLimit(day, 'from') ?? Number.NaN, parseTimeLimit(day, 'to') ?? Number.NaN];
        assert.equal(time >= from && time <= to, calendar.format(time) === day);
        assert.ok(other >= from && other <= to);
      }),
    );
  });

  test('that has a time is that time, and anything else is none', () => {
    assert.equal(parseTimeLimit('2026-10-25T02:30:00+01:00', 'to'), Date.UTC(2026, 9, 25, 1, 30));
    for (const text of ['', '2026-02-30', '2026-1-1', 'today']) assert.equal(parseTimeLimit(text, 'from'), null);
  });
});
