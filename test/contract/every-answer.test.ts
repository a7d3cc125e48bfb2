import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { openConnection } from '../support/http-client.ts';
import { freePort, until } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { clientFor, json } from './support/client.ts';
import { newTenant } from './support/tenant.ts';

const service = await startTestService();
after(() => service.stop());
const tenant = await newTenant(service);
const docUid = await tenant.submitted();

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

suite('a shared cache in front of the service', () => {
  test('may store no JSON answer, and is told that answers depend on the key', async () => {
    for (const path of ['/ping', '/outbound', '/inbound', `/outbound/${docUid}`, `/outbound/${docUid}/history`]) {
      const { headers } = await tenant.get(path);
      assert.equal(headers.get('cache-control'), 'no-store', path);
      assert.match(headers.get('vary') ?? '', /X-Api-Key/u, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    }
    const submitted = await tenant.submit('<a/>');
    assert.equal(submitted.headers.get('cache-control'), 'no-store');
  });

  test('must ask again before it gives out a file, and keeps it for one caller', async () => {
    for (const more of [{}, { 'If-None-Match': '*' }]) {
      const { headers } = await tenant.get(`/outbound/${docUid}/file`, more);
      assert.equal(headers.get('cache-control'), 'private, no-cache');
      assert.match(headers.get('vary') ?? '', /X-Api-Key/u);
    }
  });
});

suite('every answer', () => {
  test('has an X-Request-Id of its own', async () => {
    const paths = ['/ping', '/nothing-here', `/outbound/${docUid}/file`, '/outbound/%zz', '/codelists/none'];
    const ids = await Promise.all(paths.map(async (path) => (await tenant.get(path)).headers.get('x-request-id')));
    for (const id of ids) assert.match(id ?? '', UUID);
    assert.equal(new Set(ids).size, paths.length);
  });

  test('to a new document has its address in Location, a repeat has none', async () => {
    const first = await tenant.submit(`<a/>`);
    assert.equal(first.headers.get('location'), null);
    const created = await tenant.get(`/outbound/${docUid}`);
    const invoice = (await tenant.get(`/outbound/${docUid}/file`)).text;
    const answers = [await tenant.submit(invoice, 'located'), await tenant.submit(invoice, 'located')];
    const [{ docUid: other }] = answers.map(json) as [{ readonly docUid: string }];
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('location')),
      [`/api/integration/v1/outbound/${other}`, null],
    );
    assert.equal(created.status, 200);
  });

  test('to a new document leads through a proxy that serves below a path', async (t) => {
    const port = await freePort();
    const variables = { PORT: String(port), PUBLIC_URL: 'https://invoices.example/base/' };
    const behindProxy = await startTestService({ variables });
    t.after(() => behindProxy.stop());
    const client = clientFor({ api: `http://127.0.0.1:${port}/api/integration/v1` }, 'demo-alfa');
    const answer = await client.submit(sampleInvoice());
    const { docUid: other } = json(answer) as { readonly docUid: string };
    assert.equal(answer.headers.get('location'), `/base/api/integration/v1/outbound/${other}`);
  });
});

suite('a path', () => {
  test('that cannot be decoded is an unknown identifier, in the same order of checks, and is audited', async () => {
    const keyless = await fetch(`${service.api}/outbound/%zz`, { headers: { 'X-Software-Id': 'test/1' } });
    assert.equal(((await keyless.json()) as { readonly code: string }).code, 'ERR-1001');
    const codes = await Promise.all(
      ['/outbound/%zz', '/inbound/%ff/file', '/codelists/%E0%A4'].map(async (path) => {
        const answer = await tenant.get(path);
        return (json(answer) as { readonly code: string }).code;
      }),
    );
    assert.deepEqual(codes, ['ERR-3001', 'ERR-3001', 'ERR-2021']);
    const filter = { tenant: tenant.edb, keyId: null, docUid: null, since: null, until: null, limit: 100 };
    await until('the call in the audit trail', async () =>
      (await service.foundation.storage.audit.read(filter)).some(({ path }) => path.endsWith('/outbound/%zz')),
    );
  });

  test('means the same with a slash at its end', async () => {
    for (const path of ['/ping', `/outbound/${docUid}`, '/outbound', '/codelists/none']) {
      const [plain, slashed] = [await tenant.get(path), await tenant.get(`${path}/`)];
      assert.equal(slashed.status, plain.status, path);
    }
  });
});

test('a request that is followed by a reset does not keep the entries of others from the audit trail', async () => {
  const connection = await openConnection(service.url);
  await connection.send(`GET /api/integration/v1/ping HTTP/1.1\r\nHost: a\r\n\r\n`);
  connection.abort();
  const marker = `/outbound?page=${Date.now() % 1_000_000}`;
  const answer = await tenant.get(marker);
  const filter = { tenant: tenant.edb, keyId: null, docUid: null, since: null, until: null, limit: 100 };
  await until('the entry of another caller', async () =>
    (await service.foundation.storage.audit.read(filter)).some(
      ({ requestId }) => requestId === answer.headers.get('x-request-id'),
    ),
  );
});
