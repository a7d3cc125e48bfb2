import { randomUUID } from 'node:crypto';

const COUNTER_END = 0x1000;
const VARIANT_AT = '01234567-89ab-7def-'.length;

/** UUIDs of version 7, in the order of registration even within a millisecond. */
export function createEuids(newUuid: () => string = randomUUID): (moment: number) => string {
  let lastMs = 0;
  let counter = 0;
  return (moment) => {
    counter = moment > lastMs ? 0 : counter + 1;
    lastMs = Math.max(lastMs, moment);
    if (counter === COUNTER_END) {
      counter = 0;
      lastMs += 1;
    }
    const time = lastMs.toString(16).padStart(12, '0');
    const sequence = counter.toString(16).padStart(3, '0');
    // Variant and random part are as in any UUID, so they are taken from one of version 4.
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${newUuid().slice(VARIANT_AT)}`;
  };
}
