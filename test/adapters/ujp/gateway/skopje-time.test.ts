import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skopjeInstant, skopjeTime } from '../../../../src/adapters/ujp/gateway/skopje-time.ts';
import { fc } from '../../../support/seeds.ts';

const HOUR_MS = 3_600_000;

const at = (text: string) => Date.parse(text);

test('an instant is written as local time in Skopje, without offset and fraction', () => {
  assert.equal(skopjeTime(at('2026-11-15T09:00:00.999Z')), '2026-11-15T10:00:00');
  assert.equal(skopjeTime(at('2026-07-15T22:30:00Z')), '2026-07-16T00:30:00');
});

test('a time in the hour that the end of summer time repeats is read as the instant nearer to now', () => {
  const summer = at('2026-10-25T00:30:00Z');
  const winter = at('2026-10-25T01:30:00Z');
  assert.equal(skopjeInstant('2026-10-25T02:30:00', summer - HOUR_MS), summer);
  assert.equal(skopjeInstant('2026-10-25T02:30:00', winter + HOUR_MS), winter);
  assert.equal(skopjeInstant('2026-10-25T02:30:00', summer + 10 * 60_000), summer);
  assert.equal(skopjeInstant('2026-10-25T02:30:00', winter - 10 * 60_000), winter);
});

test('all of the authority’s notations of a time are read', () => {
  const noon = at('2026-11-15T11:00:00Z');
  for (const text of [
    '2026-11-15T12:00:00',
    '2026-11-15 12:00:00',
    '2026-11-15T11:00:00Z',
    '2026-11-15T12:00:00+01:00',
  ]) {
    assert.equal(skopjeInstant(text, 0), noon, text);
  }
  assert.equal(skopjeInstant('2026-11-15T12:00:00.250', 0), noon + 250);
});

test('a local time that does not exist in Skopje, and text that is no time, are null', () => {
  for (const text of ['2026-03-29T02:30:00', '2026-02-30T10:00:00', '25:00', 'сега', '', null, undefined, 7, {}]) {
    assert.equal(skopjeInstant(text, 0), null);
  }
});

test('a time whose year in UTC has not four digits is null: RFC 3339 cannot write it', () => {
  for (const text of ['9999-12-31T23:59:59-11:00', '0000-01-01T00:00:00+01:00'])
    assert.equal(skopjeInstant(text, 0), null);
  assert.equal(skopjeInstant('9999-12-31T23:59:59', 0), at('9999-12-31T22:59:59Z'));
});

test('an instant is read back from its local time by a clock within half an hour of it', () => {
  const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
  const apart = fc.integer({ min: -HOUR_MS / 2 + 1, max: HOUR_MS / 2 - 1 });
  fc.assert(
    fc.property(moment, apart, (date, ms) => {
      const instant = Math.floor(date.getTime() / 1000) * 1000;
      assert.equal(skopjeInstant(skopjeTime(instant), instant + ms), instant);
    }),
  );
});
