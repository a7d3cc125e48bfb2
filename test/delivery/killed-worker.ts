import { serialise } from '../../src/adapters/threads/serialised-content.ts';
import { contentOf } from '../../src/adapters/ubl/content/stored-content.ts';
import { openDyingWorker } from './dying-worker.ts';
import { deliverWhatIsDue } from './worker-of-test.ts';

/** Without a thread, which would take most of the time that the process lives. */
const reader = { content: async (_tenant: unknown, bytes: Uint8Array) => serialise(contentOf(bytes)) };

/** A worker that dies at a step of an attempt: before or after a transaction that claims, begins or settles one. */
const { foundation, authority, storage, survived } = await openDyingWorker((tx, afterCommit, reach) => ({
  ...tx,
  deliveries: {
    ...tx.deliveries,
    async claim(...order) {
      reach('before-claim');
      const claimed = await tx.deliveries.claim(...order);
      if (claimed.length > 0) afterCommit('after-claim');
      return claimed;
    },
  },
  outbound: {
    ...tx.outbound,
    async move(tenant, docUid, from, events, record) {
      const moved = await tx.outbound.move(tenant, docUid, from, events, record);
      if (events.includes('send')) afterCommit('after-begin');
      if (!events.includes('accept')) return moved;
      reach('before-settle');
      afterCommit('after-settle');
      return moved;
    },
  },
}));
await deliverWhatIsDue({ foundation, authority, reader, storage });
throw new Error(survived);
