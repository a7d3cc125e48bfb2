import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberedRefusals } from '../../../src/application/outbound/reference-refusals.ts';
import { MORNING } from '../../engines/samples.ts';
import { createTestDatabase } from '../../support/engines.ts';

const DAY = 86_400_000;

test('a refusal of references is remembered for a week, and not for a year because a wrong clock has written it', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.close());
  const days = { past: -8, recent: -6, soon: 1, wrong: 365 };
  await database.storage.transaction(async (tx) => {
    for (const [docTypeCode, inDays] of Object.entries(days)) {
      const refusal = { environment: 'test', docTypeCode, refusedAt: MORNING + inDays * DAY, reason: 'why' } as const;
      await tx.referenceRefusals.save(refusal);
    }
  });
  const remembered = await rememberedRefusals(database.storage, MORNING);
  assert.deepEqual(
    remembered.map(({ docTypeCode }) => docTypeCode),
    ['recent', 'soon'],
  );
});
