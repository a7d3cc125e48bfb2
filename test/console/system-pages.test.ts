import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { until } from '../support/process.ts';
import { startTestService, type TestService, WITH_BACKGROUND } from '../support/service.ts';
import { addOperator, type Visitor, visitor } from './console-visitor.ts';

suite('the system in the console', () => {
  let service: TestService;
  let petar: Visitor;

  before(async () => {
    service = await startTestService({ variables: WITH_BACKGROUND });
    await addOperator(service.foundation.storage, 'petar', 'viewer');
    petar = visitor(service.opsUrl);
    await petar.signIn('petar');
  });
  after(() => service.stop());

  test('names the processes that run, with figures and errors of this one', async () => {
    await until('the process has said that it runs', async () =>
      (await petar.get('/system')).text.includes('runs</span>'),
    );
    const { text } = await petar.get('/system');
    assert.match(text, /audit_entries_waiting/u);
    assert.match(text, /<span class="quiet small">all, /u);
  });

  test('shows the audit trail, filtered, with the state of its chains, and verifies it', async () => {
    await until('the sign-in is sealed', async () => (await petar.get('/audit')).text.includes('Recognised: '));
    const { text } = await petar.get('/audit');
    assert.match(text, /CONSOLE sign-in console/u);
    assert.ok(!(await petar.get('/audit?key=key-nobody-has')).text.includes('sign-in console'));
    assert.equal((await petar.get('/audit?since=x&until=y&document=z&tenant=4')).status, 200);
    assert.match((await petar.post('/audit', {})).text, /intact<\/span>/u);
  });

  test('a hold of all delivery is on the overview', async () => {
    const { storage } = service.foundation;
    await storage.transaction((tx) => tx.deliveryHold.set({ reason: 'restored, not reconciled', since: 1 }));
    assert.match((await petar.get('')).text, /Delivery is held: restored, not reconciled/u);
    assert.match((await petar.get('/system')).text, /Delivery is held: restored, not reconciled/u);
  });
});
