import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { type AfterADeath, prepareForADeath, SUCCESSORS, TENANT } from './after-a-death.ts';
import { assertGapFree } from './gap-free.ts';
import { deliverDueVoids } from './voids-of-test.ts';
import { deliverWhatIsDue } from './worker-of-test.ts';

const STEPS = ['after-claim', 'after-begin', 'before-send', 'after-send', 'before-settle', 'after-settle'];

describe('a worker killed at any step of a void', () => {
  let afterwards: AfterADeath;
  before(async () => {
    afterwards = await prepareForADeath();
  });
  after(() => afterwards.close());

  for (const step of STEPS) {
    test(`${step}: the void is registered exactly once, and the document is voided`, async (t) => {
      const { foundation, connection, operator } = afterwards;
      const docUid = await accepted(step);
      await operator.voids.request(TENANT, docUid, 'S-1', null);
      // The worker's clock is the machine's, and ours has moved on.
      await foundation.engine.transaction((sql) =>
        sql.run('update outbound_void set due_at = 0 where due_at is not null', []),
      );
      await afterwards.assertKilled(t, './killed-void-worker.ts', step);
      for (let times = 1; times <= SUCCESSORS; times += 1) {
        afterwards.letPausesPass();
        await deliverDueVoids({ foundation, connection });
      }
      assert.equal((await operator.voids.find(TENANT, docUid))?.state, 'registered');
      const registered = await afterwards.registrations();
      assert.deepEqual([registered.get(step)?.length, registered.get(`${step}-ST`)?.length], [1, 1]);
      const document = await foundation.storage.outbound.find(TENANT, docUid);
      assert.deepEqual([document?.status, document?.ujp?.statusCode], [40, '07']);
      const history = await foundation.storage.outbound.history(TENANT, docUid);
      assertGapFree(history);
      assert.equal(history.filter(({ failureCode }) => failureCode === 'UJP-VOIDED').length, 1);
    });
  }

  async function accepted(number: string): Promise<DocUid> {
    const { foundation, connection, reader } = afterwards;
    const docUid = await afterwards.queue(number, afterwards.now());
    await deliverWhatIsDue({ foundation, authority: connection.authority, reader });
    return docUid;
  }
});
