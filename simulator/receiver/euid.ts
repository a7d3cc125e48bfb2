import { randomBytes } from 'node:crypto';

const COUNTER_END = 0x1000;

/** UUIDs version 7: they sort by the moment of registration, also within a millisecond. */
export function createEuids(): (moment: number) => string {
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
    const random = randomBytes(8);
    random[0] = 0x80 | ((random[0] ?? 0) & 0x3f);
    const tail = random.toString('hex');
    const sequence = counter.toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}
