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

  test('certificates and keys that expire are on the overview, certificates beside their tenants too', async () => {
    const { storage } = service.foundation;
    const { keys } = service.operator;
    const [credential] = await storage.credentials.list();
    assert.ok(credential !== undefined);
    const { tenant } = credential;
    assert.ok(!(await petar.get('')).text.includes('The certificate of'));
    const at = Date.now() + 10 * 86_400_000;
    await storage.transaction((tx) => tx.credentials.save({ ...credential, validTo: at }));
    const { key } = await keys.issue({ tenant, software: 'till', expiresAt: at });
    const late = await keys.issue({ tenant, software: 'late', expiresAt: at + 60 * 86_400_000 });
    const { text } = await petar.get('');
    const time = `<time datetime="${new Date(at).toISOString()}">`;
    assert.ok(text.includes(`The certificate of ${tenant} expires ${time}`));
    assert.ok(text.includes(`The key ${key.keyId} of till expires ${time}`) && !text.includes(late.key.keyId));
    for (const path of ['/tenants', `/tenants/${tenant}`]) {
      const page = (await petar.get(path)).text;
      assert.ok(page.includes(time) && page.includes('expires soon'), path);
    }
    await storage.transaction((tx) => tx.credentials.save({ ...credential, validTo: 1 }));
    assert.match((await petar.get('')).text, /expired <time[^>]+>[^<]+<\/time>: nothing can be signed/u);
  });

  test('a hold of all delivery is on the overview, beside the tenants and on the page of the system', async () => {
    const { storage } = service.foundation;
    await storage.transaction((tx) => tx.deliveryHold.set({ reason: 'restored, not reconciled', since: 1 }));
    const [tenant] = await storage.tenants.list();
    for (const path of ['', '/tenants', `/tenants/${tenant?.edb}`, '/system']) {
      assert.match((await petar.get(path)).text, /Delivery is held: restored, not reconciled/u, path);
    }
  });
});
