import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { openAuthority } from '../../src/app/authority.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import type { Authority } from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { readConfig } from '../../src/config.ts';
import { deliverWhatIsDue } from './worker-of-test.ts';

/** A worker that dies at a step: `node killed-worker.ts <step> <nth time>`. Only the kill stands between the service's parts. */
const [step = '', nth = '1'] = process.argv.slice(2);

let met = 0;
function reach(name: string): void {
  if (name !== step) return;
  met += 1;
  if (met === Number(nth)) process.kill(process.pid, 'SIGKILL');
}

const foundation = await openFoundation(readConfig());
const { authority } = openAuthority(foundation);
const dying: Authority = {
  ...authority,
  async send(...order) {
    reach('before-send');
    const registration = await authority.send(...order);
    reach('after-send');
    return registration;
  },
};
await deliverWhatIsDue({
  foundation,
  authority: dying,
  reader: openReader(systemTimers, 1),
  storage: deadly(foundation.storage),
});
throw new Error(`The step ${step} was not reached ${nth} times.`);

/** The storage, with a step before and after each transaction that claims, begins or settles an attempt. */
function deadly(real: Storage): Storage {
  return {
    ...real,
    async transaction(work) {
      const steps: string[] = [];
      const result = await real.transaction((tx) =>
        work({
          ...tx,
          deliveries: {
            ...tx.deliveries,
            async claim(...order) {
              reach('before-claim');
              const claimed = await tx.deliveries.claim(...order);
              if (claimed.length > 0) steps.push('after-claim');
              return claimed;
            },
          },
          outbound: {
            ...tx.outbound,
            async move(tenant, docUid, from, events, record) {
              const moved = await tx.outbound.move(tenant, docUid, from, events, record);
              if (events.includes('send')) steps.push('after-begin');
              if (!events.includes('accept')) return moved;
              reach('before-settle');
              steps.push('after-settle');
              return moved;
            },
          },
        }),
      );
      for (const name of steps) reach(name);
      return result;
    },
  };
}
