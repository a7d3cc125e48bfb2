import { openAuthority } from '../../src/app/authority.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import type { Authority } from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { readConfig } from '../../src/config.ts';

/** Names a step within a transaction; it is reached once the transaction is committed. */
export type AfterCommit = (step: string) => void;

/**
 * A process that dies at a step, by `<step> <nth time>` on its command line: the parts of a worker, with nothing but the kill between
 * them. `watch` adds steps to the stores that a transaction uses.
 */
export async function openDyingWorker(
  watch: (tx: Storage, afterCommit: AfterCommit, reach: (step: string) => void) => Storage,
) {
  const [last = '', nth = '1'] = process.argv.slice(2);
  let met = 0;
  function reach(step: string): void {
    if (step !== last) return;
    met += 1;
    if (met === Number(nth)) process.kill(process.pid, 'SIGKILL');
  }
  const foundation = await openFoundation(readConfig());
  const connection = openAuthority(foundation);
  const { authority } = connection;
  const dying: Authority = {
    ...authority,
    async send(...order) {
      reach('before-send');
      const registration = await authority.send(...order);
      reach('after-send');
      return registration;
    },
  };
  const storage: Storage = {
    ...foundation.storage,
    async transaction(work) {
      const steps: string[] = [];
      const result = await foundation.storage.transaction((tx) => work(watch(tx, (step) => steps.push(step), reach)));
      for (const step of steps) reach(step);
      return result;
    },
  };
  return {
    foundation,
    connection,
    authority: dying,
    storage,
    survived: `The step ${last} was not reached ${nth} times.`,
  };
}
