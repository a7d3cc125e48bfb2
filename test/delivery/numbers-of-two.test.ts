import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../support/process.ts';
import { sampleCreditNote } from '../support/ubl-samples.ts';
import { type Delivering, startDelivering } from './support.ts';

let delivering: Delivering;
before(async () => {
  delivering = await startDelivering();
});
after(() => delivering.service.stop());

test('two documents that cannot be told apart without the right to read payloads keep no other one back', async () => {
  const { operator } = delivering.service;
  const zeta = await delivering.join('ЗЕТА ДОО Скопје');
  const user = { eujpId: (await operator.tenants.find(zeta.edb)).eujpId, edb: zeta.edb };
  await delivering.pull('users', { ...user, privileges: ['SIGN', 'DP', 'DA'] });
  // What is asked for before a document is sent is known then.
  await delivering.reach(zeta, await zeta.send('FIRST'), 40);
  await delivering.pull('faults', { loseAnswers: 1, loseQueries: 1 });
  const invoice = await zeta.send('BOTH');
  const note = await zeta.submitted(sampleCreditNote({ number: 'BOTH', supplier: { taxNumber: zeta.edb } }));
  const stories = () => Promise.all([invoice, note].map((docUid) => zeta.story(docUid)));
  await until('both answers are lost', async () =>
    (await stories()).every(({ attempts }) => attempts.some(({ outcome }) => outcome === 'unknown')),
  );
  await delivering.pull('faults', {});
  await delivering.passUntil('the missing right is named', async () =>
    (await stories()).every(({ attempts }) => attempts.at(-1)?.failureCode === 'UJP-E1011'),
  );
  assert.equal((await operator.tenants.find(zeta.edb)).stopped, null);
  await delivering.reach(zeta, await zeta.send('OTHER'), 40);
  assert.equal((await zeta.document(invoice)).status, 30);
  await delivering.pull('users', user);
  await delivering.passUntil('both are found', delivering.isNothingUnderWay);
  for (const docUid of [invoice, note]) assert.equal((await zeta.document(docUid)).status, 40);
});
