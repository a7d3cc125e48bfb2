import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { VoidEvent, VoidNeeds } from '../../src/application/voiding/void-delivery.ts';
import { clockAt } from '../support/test-clock.ts';

/** What voids need of a process whose authority answers so far as the test has it, and what they have reported. */
export function voidNeeds(storage: Storage, authority: object = {}) {
  const events: VoidEvent[] = [];
  const needs: VoidNeeds = {
    storage,
    authority: authority as VoidNeeds['authority'],
    readList: async () => [],
    clock: clockAt(),
    random: { bytes: (count) => new Uint8Array(count) },
    leaseMs: 60_000,
    outcomeWindowMs: 330_000,
    report: (event) => void events.push(event),
  };
  return { needs, events };
}
