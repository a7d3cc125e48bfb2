import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTBOUND_STATUS } from '../../src/domain/documents/outbound-status.ts';
import { edb } from '../engines/samples.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder, until } from '../support/process.ts';
import { startTestService, type TestService, WITH_BACKGROUND } from '../support/service.ts';
import { runningClock } from '../support/test-clock.ts';
import { ALFA } from '../support/ubl-samples.ts';
import { HOUR, MINUTE, taxpayerOf } from './support.ts';

const VARIABLES = { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0' };

async function metric(service: TestService, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
  return text
    .split('\n')
    .find((line) => line.startsWith(name))
    ?.split(' ')
    .at(-1);
}

const isStopped = async (service: TestService) => (await metric(service, 'dostava_delivery_stopped_by_clock')) === '1';

test('a worker an hour ahead of the authority delivers nothing and says so, until the clocks agree', async (t) => {
  const authorityClock = runningClock();
  const clock = runningClock();
  clock.advance(HOUR);
  const service = await startTestService({ clock, authorityClock, variables: VARIABLES });
  t.after(() => service.stop());
  const alfa = await taxpayerOf(service, edb(ALFA.taxNumber ?? ''));
  await until('the stop', () => isStopped(service));
  const offset = Number(await metric(service, 'dostava_clock_offset_seconds{reference="authority-test"}'));
  assert.ok(Math.abs(offset - 3_600) < 60, `${offset}`);
  const docUid = await alfa.send('WRONG-CLOCK');
  const { storage } = service.foundation;
  // Longer than any document would wait for a worker: the one of the demo is due as well.
  clock.advance(MINUTE);
  assert.equal(service.underWay().deliveries, 0);
  assert.equal((await storage.outbound.find(alfa.edb, docUid))?.status, OUTBOUND_STATUS.received);
  clock.advance(-HOUR - MINUTE);
  await until('the delivery', async () => (await alfa.document(docUid)).status === OUTBOUND_STATUS.accepted);
  assert.equal(await isStopped(service), false);
});

test('a worker whose machine is minutes ahead of PostgreSQL stops, and goes by the time of the server', async (t) => {
  let aheadMs = 5 * MINUTE;
  // Real time, also of seconds in which the process stands still: that of the server goes on meanwhile.
  const machineClock = { now: () => Date.now() + aheadMs };
  const server = await postgresServer();
  const database = { DATA_DIR: temporaryFolder(), DATABASE_URL: await server.createMigratedDatabase() };
  const service = await startTestService({ database, machineClock, variables: { ...VARIABLES, ROLE: 'worker' } });
  t.after(() => service.stop());
  await until('the stop', () => isStopped(service));
  assert.ok(machineClock.now() - service.foundation.clock.now() > 4 * MINUTE);
  const ready = await fetch(`${service.opsUrl}/health/ready`);
  assert.equal(ready.status, 503);
  assert.match(await ready.text(), /delivery stopped: the clock is \d{3} s ahead of that of database/u);
  aheadMs = 0;
  await until('the end of the stop', async () => !(await isStopped(service)));
  assert.equal((await fetch(`${service.opsUrl}/health/ready`)).status, 200);
});
