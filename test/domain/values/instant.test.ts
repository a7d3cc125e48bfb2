import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatInstant, parseInstant } from '../../../src/domain/values/instant.ts';
import { fc } from '../../support/seeds.ts';

/** From the year 0001 to the year 9998, so that an offset stays within four digits of year. */
const instant = fc.integer({ min: Date.UTC(2000, 0) - 1_999 * 365.25 * 86_400_000, max: Date.UTC(9998, 11, 31) });
const offsetMinutes = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });
const rounding = fc.constantFrom('up' as const, 'down' as const);

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

test('what is written is read back, to the millisecond', () => {
  fc.assert(fc.property(instant, rounding, (time, way) => assert.equal(parseInstant(formatInstant(time), way), time)));
});

test('the same instant may be written with any offset', () => {
  fc.assert(
    fc.property(instant, offsetMinutes, rounding, (time, minutes, way) => {
      const local = new Date(time + minutes * 60_000).toISOString().replace('Z', offsetText(minutes));
      assert.equal(parseInstant(local, way), time);
    }),
  );
});

test('without an offset it is UTC', () => {
  fc.assert(
    fc.property(instant, (time) => assert.equal(parseInstant(formatInstant(time).replace('Z', ''), 'down'), time)),
  );
});

test('a plain date is its first instant', () => {
  assert.equal(parseInstant('2026-11-16', 'up'), Date.UTC(2026, 10, 16));
  assert.equal(parseInstant('2026-11-16', 'down'), Date.UTC(2026, 10, 16));
  assert.equal(parseInstant('2024-02-29', 'down'), Date.UTC(2024, 1, 29));
});

test('a value finer than a millisecond is rounded to the side asked for; one that is exact stays', () => {
  const digits = fc.stringMatching(/^[0-9]{1,12}$/);
  fc.assert(
    fc.property(digits, rounding, (fraction, way) => {
      const exact = BigInt(fraction.padEnd(12, '0'));
      const whole = exact / 1_000_000_000n;
      const rounded = way === 'up' && exact % 1_000_000_000n > 0n ? whole + 1n : whole;
      assert.equal(parseInstant(`1970-01-01T00:00:00.${fraction}Z`, way), Number(rounded));
    }),
  );
});

test('bounds stay exact: every millisecond is on one side of a finer bound', () => {
  assert.equal(parseInstant('2026-11-16T08:00:00.0001Z', 'up'), Date.UTC(2026, 10, 16, 8, 0, 0, 1));
  assert.equal(parseInstant('2026-11-16T08:00:00.0001Z', 'down'), Date.UTC(2026, 10, 16, 8, 0, 0, 0));
  assert.equal(parseInstant('2026-12-31T23:59:59.9999Z', 'up'), Date.UTC(2027, 0, 1));
});

test('a leap second is before the next minute and after all that is stored of its own', () => {
  for (const text of ['2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00', '2016-12-31T23:59:60.75Z']) {
    assert.equal(parseInstant(text, 'up'), Date.UTC(2017, 0, 1), text);
    assert.equal(parseInstant(text, 'down'), Date.UTC(2017, 0, 1) - 1, text);
  }
});

test('the letters may be small, and a blank may stand for the T', () => {
  const time = Date.UTC(2026, 10, 16, 8, 30);
  for (const text of ['2026-11-16t08:30:00z', '2026-11-16 08:30:00Z', '2026-11-16 08:30:00']) {
    assert.equal(parseInstant(text, 'down'), time);
  }
});

const notInstants = [
  '',
  'yesterday',
  '2026',
  '2026-11',
  '16.11.2026',
  '2026-11-16T08:30',
  '2026-11-16T08:30Z',
  '2026-11-16T8:30:00Z',
  '2026-00-10',
  '2026-13-10',
  '2026-11-00',
  '2026-11-31',
  '2026-02-29',
  '1900-02-29',
  '2026-11-16T24:00:00Z',
  '2026-11-16T08:60:00Z',
  '2026-11-16T08:30:61Z',
  '2026-11-16T08:30:00.Z',
  '2026-11-16T08:30:00,5Z',
  '2026-11-16T08:30:00+24:00',
  '2026-11-16T08:30:00+01:60',
  '2026-11-16T08:30:00+0100',
  '2026-11-16T08:30:00+01',
  '+002026-11-16T08:30:00Z',
  '-2026-11-16',
  '2026-11-16T08:30:00Z ',
  ' 2026-11-16',
  '1700000000000',
];

for (const text of notInstants) {
  test(`${JSON.stringify(text)} is no instant`, () => {
    assert.equal(parseInstant(text, 'up'), null);
    assert.equal(parseInstant(text, 'down'), null);
  });
}

test('years with leading zeros are years of their own', () => {
  assert.equal(formatInstant(parseInstant('0001-01-01', 'down') ?? 0), '0001-01-01T00:00:00.000Z');
  assert.equal(formatInstant(parseInstant('0099-12-31T23:59:59Z', 'down') ?? 0), '0099-12-31T23:59:59.000Z');
});

test('any text is either read as a number or refused, never an error and never not-a-number', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[Z+-]?/)),
      rounding,
      (text, way) => {
        const time = parseInstant(text, way);
        assert.ok(time === null || Number.isInteger(time));
      },
    ),
  );
});
