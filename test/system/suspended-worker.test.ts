import { test } from 'node:test';
import { temporaryFolder, until } from '../support/process.ts';
import { installationOn } from './replica-processes.ts';
import { assertAllDelivered, moreAnswers, startLoad } from './submission-load.ts';

const ROUNDS = process.env['TEST_LONG'] === '1' ? 40 : 2;
const PLENTY = 1_000_000;
/** More than the two seconds of a lease in these processes. */
const PAUSE_MS = 3_000;

test('a worker that stands still for longer than its leases doubles and loses nothing when it goes on', async (t) => {
  const installation = await installationOn(t, { DATA_DIR: temporaryFolder() });
  const api = await installation.start('api');
  const workers = [await installation.start('worker'), await installation.start('worker')];
  const { secret } = await installation.issueKey(PLENTY);
  const load = startLoad([api.api], secret);
  for (let round = 0; round < ROUNDS; round += 1) {
    await moreAnswers(load, 6);
    const worker = workers[round % workers.length];
    worker?.suspend();
    const since = performance.now();
    // It may hold the write lock of the database; then nothing is answered before it goes on.
    await until('its leases are over', () => performance.now() - since > PAUSE_MS);
    worker?.resume();
  }
  await load.stop();
  await assertAllDelivered(api.api, secret, load, installation.simulator);
  await Promise.all([api, ...workers].map((replica) => replica.stop()));
});
