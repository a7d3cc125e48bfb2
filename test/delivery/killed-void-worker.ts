import { openDyingWorker } from './dying-worker.ts';
import { deliverDueVoids } from './voids-of-test.ts';

/** A worker that dies at a step of a void: after a transaction that claims or begins, or around the one that settles. */
const { foundation, connection, authority, storage, survived } = await openDyingWorker((tx, afterCommit, reach) => ({
  ...tx,
  voids: {
    ...tx.voids,
    async claim(...order) {
      afterCommit('after-claim');
      return tx.voids.claim(...order);
    },
    async beginSend(...order) {
      afterCommit('after-begin');
      return tx.voids.beginSend(...order);
    },
    async settle(...order) {
      const isSettled = await tx.voids.settle(...order);
      reach('before-settle');
      afterCommit('after-settle');
      return isSettled;
    },
  },
}));
await deliverDueVoids({ foundation, connection, authority, storage });
throw new Error(survived);
