import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../support/process.ts';
import { type Delivering, SECOND, startDelivering } from './support.ts';

const HOLD_SECONDS = 60;
const MANY = 300;

let delivering: Delivering;
before(async () => {
  delivering = await startDelivering({ DELIVERY_HOLD_SECONDS: String(HOLD_SECONDS) });
});
after(() => delivering.service.stop());

test(`one document of another taxpayer does not wait for the ${MANY} that were queued before it`, async () => {
  const { clock, registered, service } = delivering;
  // Asked for in the order of their tax numbers: the one with many documents comes first there too.
  const many = await delivering.join('МНОГУ ДОО Скопје');
  const one = await delivering.join('ЕДЕН ДОО Скопје');
  await Promise.all(Array.from({ length: MANY }, (_, index) => many.send(`MANY-${index}`)));
  const docUid = await one.send('ONE');
  clock.advance(HOLD_SECONDS * SECOND);
  await delivering.reach(one, docUid, 40);
  await until('every document accepted', async () => {
    const left = await service.foundation.engine.get('select 1 from outbound where status in (10, 20, 30)', []);
    return left === null;
  });
  const ofBoth = (await registered()).filter(({ seller }) => seller === many.edb || seller === one.edb);
  const order = ofBoth.map(({ docNumber }) => docNumber);
  assert.equal(order.length, MANY + 1);
  assert.equal(new Set(order).size, MANY + 1);
  const place = order.indexOf('ONE');
  assert.ok(place < MANY / 10, `after ${place} others`);
});
