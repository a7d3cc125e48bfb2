import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAddressLimiter } from '../../../src/adapters/limits/address-limiter.ts';
import { systemHasher, systemRandom } from '../../../src/adapters/platform/platform.ts';
import { operatorSessions } from '../../../src/application/operators/operator-sessions.ts';
import { newAuditEntry } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('more passwords from afar than can be looked at soon are refused, and keep nobody out who is at the machine', async () => {
  const clock = clockAt();
  const asked: string[] = [];
  const looked = Promise.withResolvers<boolean>();
  const sessions = operatorSessions({
    storage: database.storage,
    passwords: {
      isHashOf(_hash, password) {
        asked.push(password);
        return looked.promise;
      },
    },
    attempts: { byNetwork: createAddressLimiter(clock, 20), byName: createAddressLimiter(clock, 6) },
    random: systemRandom,
    hasher: systemHasher,
    clock,
    entryOf: () => newAuditEntry(),
  });
  const arrive = (nth: number, isHere: boolean) =>
    sessions.signIn(`nobody-${nth}`, `guess ${nth}`, { address: isHere ? '127.0.0.1' : `203.0.113.${nth}`, isHere });
  const waiting = Array.from({ length: 20 }, (_, nth) => arrive(nth, false));
  const tooMany = arrive(20, false);
  waiting.push(arrive(21, true));
  looked.resolve(false);
  assert.deepEqual(await tooMany, { outcome: 'too-many', retryAfterSeconds: 5 });
  for (const { outcome } of await Promise.all(waiting)) assert.equal(outcome, 'refused');
  assert.ok(asked.includes('guess 21') && !asked.includes('guess 20'));
  assert.equal((await arrive(20, false)).outcome, 'refused', 'once the others are through');
});
