import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DocUid,
  docUidTime,
  firstDocUidAt,
  nextDocUid,
  parseDocUid,
} from '../../../src/domain/documents/doc-uid.ts';
import { fc } from '../../support/seeds.ts';

/** What 48 bits hold: the year 10889. */
const LAST_TIME = 2 ** 48 - 1;
const time = fc.oneof(
  fc.integer({ min: 0, max: LAST_TIME }),
  fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
);
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });
const ALL_ONES = new Uint8Array(10).fill(255);
const ALL_ZEROS = new Uint8Array(10);

test('a new docUid is a lower-case UUID of version 7 and the RFC 9562 variant', () => {
  fc.assert(
    fc.property(time, random, (now, random) => {
      const docUid = nextDocUid(now, null, random);
      assert.match(docUid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(parseDocUid(docUid), docUid);
    }),
  );
});

test('a docUid carries the time it was made', () => {
  fc.assert(fc.property(time, random, (now, random) => assert.equal(docUidTime(nextDocUid(now, null, random)), now)));
});

test('each docUid is greater than the one before, however the clock runs and whatever the random bytes are', () => {
  const readings = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.oneof(random, fc.constant(ALL_ONES))), {
    minLength: 2,
    maxLength: 50,
  });
  fc.assert(
    fc.property(readings, (made) => {
      let previous: DocUid | null = null;
      for (const [now, random] of made) {
        const docUid: DocUid = nextDocUid(1_700_000_000_000 + now, previous, random);
        assert.equal(parseDocUid(docUid), docUid);
        assert.ok(previous === null || docUid > previous, `${docUid} follows ${previous}`);
        previous = docUid;
      }
    }),
  );
});

test('when the clock stands still or steps back the time stays that of the docUid before', () => {
  const before = nextDocUid(1_700_000_000_000, null, ALL_ZEROS);
  for (const now of [1_700_000_000_000, 1_699_999_999_999, 0]) {
    assert.equal(docUidTime(nextDocUid(now, before, ALL_ONES)), 1_700_000_000_000);
  }
});

test('when a millisecond has no number left, the next docUid belongs to the next millisecond', () => {
  const last = nextDocUid(1_700_000_000_000, null, ALL_ONES);
  const next = nextDocUid(1_700_000_000_000, last, ALL_ZEROS);
  assert.ok(next > last);
  assert.equal(docUidTime(next), 1_700_000_000_001);
});

test('the first docUid of a time is a bound: not above any made then, above all made earlier', () => {
  fc.assert(
    fc.property(time, random, (now, random) => {
      const docUid = nextDocUid(now, null, random);
      assert.equal(parseDocUid(firstDocUidAt(now)), firstDocUidAt(now));
      assert.ok(firstDocUidAt(now) <= docUid);
      assert.ok(now === LAST_TIME || docUid < firstDocUidAt(now + 1));
      assert.equal(docUidTime(firstDocUidAt(now)), now);
    }),
  );
});

test('a bound before 1970 is the lowest bound there is', () => {
  assert.equal(firstDocUidAt(-1), firstDocUidAt(0));
});

test('neighbours of one millisecond are not guessed by counting', () => {
  const random = Uint8Array.from({ length: 10 }, (_, index) => index * 23 + 7);
  const first = nextDocUid(1_700_000_000_000, null, random);
  const second = nextDocUid(1_700_000_000_000, first, random);
  assert.notEqual(first.slice(0, 28), second.slice(0, 28));
});

const notDocUids = [
  '',
  '01234567-89ab-7def-8123-456789abcde',
  '01234567-89ab-7def-8123-456789abcdef0',
  '01234567-89AB-7DEF-8123-456789ABCDEF',
  '01234567-89ab-4def-8123-456789abcdef',
  '01234567-89ab-7def-c123-456789abcdef',
  '0123456789ab7def8123456789abcdef',
  '{01234567-89ab-7def-8123-456789abcdef}',
  '01234567-89ab-7def-8123-456789abcdef\n',
  ' 01234567-89ab-7def-8123-456789abcdef',
  "01234567-89ab-7def-8123-456789abcde'",
];

for (const text of notDocUids) {
  test(`${JSON.stringify(text)} is no docUid`, () => assert.equal(parseDocUid(text), null));
}

test('no other text is a docUid', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(parseDocUid(text), null)));
});
