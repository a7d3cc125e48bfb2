import { openAuthority } from '../../src/app/authority.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import type { Authority } from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { readConfig } from '../../src/config.ts';
import { deliverDueVoids } from './voids-of-test.ts';

/** A worker that dies at a step of a void: `node killed-void-worker.ts <step>`. Only the kill stands between the service's parts. */
const [step = ''] = process.argv.slice(2);

function reach(name: string): void {
  if (name === step) process.kill(process.pid, 'SIGKILL');
}

const foundation = await openFoundation(readConfig());
const connection = openAuthority(foundation);
const dying: Authority = {
  ...connection.authority,
  async send(...order) {
    reach('before-send');
    const registration = await connection.authority.send(...order);
    reach('after-send');
    return registration;
  },
};
await deliverDueVoids({ foundation, connection, authority: dying, storage: deadly(foundation.storage) });
throw new Error(`The step ${step} was not reached.`);

/** The storage, with a step after each transaction that claims or begins, and around the one that settles. */
function deadly(real: Storage): Storage {
  return {
    ...real,
    async transaction(work) {
      const steps: string[] = [];
      const result = await real.transaction((tx) =>
        work({
          ...tx,
          voids: {
            ...tx.voids,
            async claim(...order) {
              steps.push('after-claim');
              return tx.voids.claim(...order);
            },
            async beginSend(...order) {
              steps.push('after-begin');
              return tx.voids.beginSend(...order);
            },
            async settle(...order) {
              const isSettled = await tx.voids.settle(...order);
              reach('before-settle');
              steps.push('after-settle');
              return isSettled;
            },
          },
        }),
      );
      for (const name of steps) reach(name);
      return result;
    },
  };
}
