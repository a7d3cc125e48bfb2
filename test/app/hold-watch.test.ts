import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import type { Foundation } from '../../src/app/foundation.ts';
import { openHoldWatch } from '../../src/app/jobs/hold-watch.ts';
import { type DeliveryHold, RESTORED } from '../../src/domain/operations/delivery-hold.ts';
import { clockAt } from '../support/test-clock.ts';

const AFTER_RESTORE = { since: 1, at: 1 };

/** What the log says of a hold. */
async function told(hold: DeliveryHold): Promise<string> {
  const lines: string[] = [];
  const storage = {
    deliveryHold: { find: async () => hold, uncompared: async () => [] },
  } as unknown as Foundation['storage'];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  await openHoldWatch({ storage, clock: clockAt(0) }, log, {
    deliveryHeld: () => undefined,
    tenantsHeld: () => undefined,
  }).look();
  assert.equal(lines.length, 1);
  return JSON.parse(lines[0] ?? '').msg as string;
}

test('the log names the commands that end a hold, and no other', async () => {
  assert.equal(
    await told({ reason: RESTORED, since: 1, restored: AFTER_RESTORE }),
    'delivery is held: nothing is sent until "dostava reconcile" or "dostava release"',
  );
  assert.equal(
    await told({ reason: 'the network is being mended', since: 2, restored: null }),
    'delivery is held: nothing is sent until "dostava release"',
  );
  assert.equal(
    await told({ reason: 'the network is being mended', since: 2, restored: AFTER_RESTORE }),
    'delivery is held: nothing is sent until "dostava release", and "dostava reconcile" after the restore',
  );
});
