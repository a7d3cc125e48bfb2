import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { firstDocUidAt } from '../../src/domain/documents/doc-uid.ts';
import { inEnglish, render } from '../../src/domain/messages/render.ts';
import { newAuditEntry } from '../engines/samples.ts';
import { until } from '../support/process.ts';
import { startTestService, type TestService, WITH_BACKGROUND } from '../support/service.ts';
import { signedIn, type Visitor } from './console-visitor.ts';

suite('the system in the console', () => {
  let service: TestService;
  let petar: Visitor;

  before(async () => {
    service = await startTestService({ variables: WITH_BACKGROUND });
    petar = await signedIn(service, 'petar', 'viewer');
  });
  after(() => service.stop());

  const storage = () => service.foundation.storage;

  test('names the processes that run, with figures and errors of this one', async () => {
    await until('the process has said that it runs', async () =>
      (await petar.get('/system')).text.includes('runs</span>'),
    );
    const { text } = await petar.get('/system');
    assert.match(text, /<span class="quiet small">interface and worker, /u);
    assert.doesNotMatch(text, /Processes of different versions/u);
    await storage().transaction((tx) =>
      tx.processes.save({
        id: 'another-1',
        role: 'worker',
        version: '0.0.1',
        host: 'b',
        startedAt: 1,
        seenAt: Date.now(),
      }),
    );
    assert.match((await petar.get('/system')).text, /Processes of different versions/u);
    await storage().transaction((tx) => tx.processes.remove('another-1'));
  });

  test('tells queues, tasks, budgets and what is held up in words, in both languages, and shows no raw metric', async () => {
    // The language that was chosen last stays: the other tests read English.
    const words = {
      mk: ['Собирање влезни документи', 'Меморија за документи што се примаат', 'Големина на базата'],
      en: ['Collecting inbound documents', 'Memory for documents that are being received', 'Size of the database'],
    };
    await until('the authority is known to be away', async () =>
      (await petar.get('/system')).text.includes('Installations of the authority that did not answer'),
    );
    for (const [language, expected] of Object.entries(words)) {
      const { text } = await petar.get(`/system?language=${language}`);
      for (const word of expected) assert.ok(text.includes(word), word);
      assert.doesNotMatch(text, /dostava_\w|_total|_bytes|NaN|undefined/u);
      assert.match(text, /\d+ (?:MiB|GiB)/u);
    }
  });

  test('says in the language of the page why a tenant is stopped or an attempt failed', async () => {
    const [tenant] = await storage().tenants.list();
    assert.ok(tenant !== undefined);
    const failure = [{ key: 'request-refused' as const, values: {} }];
    await storage().transaction((tx) => tx.tenants.stop(tenant.edb, inEnglish(...failure), Date.now()));
    for (const path of ['', `/tenants/${tenant.edb}`]) {
      for (const language of ['mk', 'en'] as const) {
        const { text } = await petar.get(`${path}?language=${language}`);
        assert.ok(text.includes(render(language, failure)), `${path} ${language}`);
      }
    }
    await storage().transaction((tx) => tx.tenants.resume(tenant.edb, Date.now()));
  });

  test('shows the audit trail, filtered, with the state of its chains, and verifies it', async () => {
    await until('the sign-in is sealed', async () => (await petar.get('/audit')).text.includes('Recognised: '));
    const { text } = await petar.get('/audit');
    assert.match(text, /CONSOLE sign-in console/u);
    assert.ok(!(await petar.get('/audit?key=key-nobody-has')).text.includes('sign-in console'));
    assert.equal((await petar.get('/audit?since=x&until=y&document=z&tenant=4')).status, 200);
    assert.match((await petar.post('/audit', {})).text, /intact<\/span>/u);
  });

  test('older entries of the audit trail are on the next pages, with the same filters', async () => {
    const [tenant] = await storage().tenants.list();
    assert.ok(tenant !== undefined);
    const at = Date.now();
    const entries = Array.from({ length: 230 }, (_, nth) =>
      newAuditEntry({ tenant: tenant.edb, at: at + nth, path: `/paged/${nth}/`, requestId: `paged ${nth}` }),
    );
    await storage().transaction((tx) => tx.audit.append(entries));
    const seen = new Set<string>();
    const sizes: number[] = [];
    let path: string | undefined = `/audit?tenant=${tenant.edb}&since=2026-01-01`;
    while (path !== undefined) {
      const { text, status } = await petar.get(path);
      assert.equal(status, 200);
      const paged = [...text.matchAll(/\/paged\/(\d+)\//gu)].map(([, nth = '']) => nth);
      for (const nth of paged) seen.add(nth);
      sizes.push(paged.length);
      const [, older]: readonly (string | undefined)[] = /rel="next" href="\/console([^"]+)"/u.exec(text) ?? [];
      path = older?.replaceAll('&amp;', '&');
      assert.equal(text.includes('There are older ones.'), path !== undefined);
      if (path !== undefined) assert.match(path, new RegExp(`tenant=${tenant.edb}&since=2026-01-01&older=`, 'u'));
    }
    assert.deepEqual([seen.size, ...sizes.slice(0, 2)], [230, 100, 100]);
    assert.match((await petar.get('/audit?older=x')).text, /role="alert"/u);
  });

  test('a key that an old entry of the audit trail holds is masked, as on the command line', async () => {
    const [tenant] = await storage().tenants.list();
    assert.ok(tenant !== undefined);
    const { secret } = await service.operator.keys.issue({ tenant: tenant.edb, software: 'till', expiresAt: null });
    const docUid = firstDocUidAt(7);
    const entry = newAuditEntry({ tenant: tenant.edb, at: Date.now(), docUid, path: `/outbound?key=${secret}` });
    await storage().transaction((tx) => tx.audit.append([entry]));
    const { text } = await petar.get(`/audit?document=${docUid}`);
    assert.ok(!text.includes(secret));
    assert.match(text, /\/outbound\?key=\w*\*\*\*</u);
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
      assert.match(
        (await petar.get(path)).text,
        /Delivery is held: the database was restored and not yet compared/u,
        path,
      );
    }
    await storage.transaction((tx) => tx.deliveryHold.set({ reason: 'the network is mended', since: 2 }));
    const both = /Delivery is held: the database was restored [^<]+ the network is mended/u;
    assert.match((await petar.get('/system')).text, both);
  });
});
