import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, suite, type TestContext, test } from 'node:test';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import type { AuditEntry, AuditFilter } from '../../src/application/ports/storage/audit-store.ts';
import { openConnection, requestHead, sendBytes } from '../support/http-client.ts';
import { until } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { bytesOf } from '../support/ubl-samples.ts';
import { json, request } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { assertPlainProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const clock = clockAt('2026-11-02T08:00:00Z');
const service = await startTestService({ clock });
after(() => service.stop());

const ANY: AuditFilter = { tenant: null, keyId: null, docUid: null, since: null, until: null, limit: 1_000 };
const read = (filter: Partial<AuditFilter>) => service.operator.readAudit({ ...ANY, ...filter });

/** The entries once there are so many of them: those of calls that change nothing are written a little later. */
function readWhen(count: number, filter: Partial<AuditFilter>): Promise<readonly AuditEntry[]> {
  return until(`${count} entries`, async () => {
    const entries = await read(filter);
    return entries.length >= count ? entries : null;
  });
}

const docUidIn = (answer: { readonly text: string }) => (json(answer) as { readonly docUid: string }).docUid;

/** Sends a request and breaks the connection off while the service looks something up in a store. */
async function leaveDuring(t: TestContext, store: 'idempotency' | 'outbound', request: string): Promise<void> {
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stores: { find: (...args: never[]) => Promise<unknown> } = service.foundation.storage[store];
  const find = stores.find.bind(stores);
  t.mock.method(
    stores,
    'find',
    async (...args: never[]) => {
      asked.resolve();
      await left.promise;
      return find(...args);
    },
    { times: 1 },
  );
  const connection = await openConnection(service.url);
  await connection.send(request);
  await asked.promise;
  connection.abort();
  await until('the end of the connection', () => service.underWay().requests === 0);
  // What had to be written by then is written with the entry of a later call.
  const { get, keyId } = await (await newTenant(service)).withKey();
  await get('/ping');
  await readWhen(1, { keyId });
  left.resolve();
}

suite('audit trail', () => {
  test('a submission is on record, in every field, as soon as it is answered', async () => {
    const tenant = await newTenant(service);
    const { submit, keyId } = await tenant.withKey();
    const answer = await submit(freshInvoice());
    const [entry, ...others] = await read({ keyId });
    assert.deepEqual(others, []);
    assert.ok(entry !== undefined);
    const { durationMs, requestId, ...rest } = entry;
    assert.deepEqual(rest, {
      at: clock.now(),
      tenant: tenant.edb,
      keyId,
      softwareId: 'test/1.0',
      method: 'POST',
      path: '/api/integration/v1/outbound',
      docUid: docUidIn(answer),
      httpStatus: 201,
      code: null,
      address: '127.0.0.1',
      operator: null,
      calls: 1,
    });
    assert.ok(durationMs > 0 && durationMs < 60_000, `${durationMs} ms`);
    assert.equal(requestId, answer.headers.get('x-request-id'));
  });

  test('a cancellation and a first acknowledgement are on record as soon as they are answered', async () => {
    const tenant = await newTenant(service);
    const outbound = await tenant.submitted();
    const inbound = (await service.operator.importInbound(tenant.edb, null, bytesOf('a'))).docUid;
    const { post, keyId } = await tenant.withKey();
    await post(`/outbound/${outbound}/cancel`);
    await post(`/inbound/${inbound}/ack`);
    const entries = (await read({ keyId })).map(({ path, docUid, httpStatus }) => [path, docUid, httpStatus]);
    assert.deepEqual(entries.toSorted(), [
      [`/api/integration/v1/inbound/${inbound}/ack`, inbound, 200],
      [`/api/integration/v1/outbound/${outbound}/cancel`, outbound, 200],
    ]);
  });

  test('every call makes one entry, reading and refused ones within a second', async () => {
    const tenant = await newTenant(service);
    const docUid = await tenant.submitted();
    const xml = freshInvoice();
    await tenant.submit(xml, 'k');
    const { get, head, post, submit, keyId } = await tenant.withKey();
    const inbound = (await service.operator.importInbound(tenant.edb, null, bytesOf('b'))).docUid;
    await post(`/inbound/${inbound}/ack`);
    const calls: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => get('/ping'), 'GET /ping 200 null'],
      [() => get('/outbound?status=10&pageSize=5'), 'GET /outbound 200 null'],
      [() => get('/outbound?page=0'), 'GET /outbound 400 null'],
      [() => get(`/outbound/${docUid}`), `GET /outbound/${docUid} 200 null`],
      [() => get(`/outbound/${docUid}/history`), `GET /outbound/${docUid}/history 200 null`],
      [() => head(`/outbound/${docUid}/file`), `HEAD /outbound/${docUid}/file 200 null`],
      [() => get(`/outbound/${docUid}/file?format=pdf`), `GET /outbound/${docUid}/file 404 ERR-3002`],
      [() => get('/outbound/x'), 'GET /outbound/x 404 ERR-3001'],
      [() => get('/ping', { 'X-Software-Id': '' }), 'GET /ping 400 ERR-1008'],
      [() => submit('no XML'), 'POST /outbound 400 ERR-2001'],
      [() => submit(freshInvoice(), 'k'), 'POST /outbound 409 ERR-2010'],
      [() => submit(xml, 'k'), 'POST /outbound 200 null'],
      [() => post(`/inbound/${inbound}/ack`), `POST /inbound/${inbound}/ack 200 null`],
      [() => post(`/inbound/${inbound}/ack`, '{"tenant":1}'), `POST /inbound/${inbound}/ack 400 ERR-1007`],
      [() => get('/codelists/countries'), 'GET /codelists/countries 200 null'],
    ];
    for (const [call] of calls) await call();
    const entries = await readWhen(calls.length + 1, { keyId });
    const lines = entries.map(
      ({ method, path, httpStatus, code }) =>
        `${method} ${path.replace('/api/integration/v1', '')} ${httpStatus} ${code}`,
    );
    const first = `POST /inbound/${inbound}/ack 200 null`;
    assert.deepEqual(lines.toSorted(), [first, ...calls.map(([, line]) => line)].toSorted());
    assert.ok(entries.every((entry) => entry.tenant === tenant.edb && entry.address === '127.0.0.1'));
  });

  test('an entry names the document of its call: by the path, and of a submission or its repeat by the answer', async () => {
    const tenant = await newTenant(service);
    const { get, submit, keyId } = await tenant.withKey();
    const xml = freshInvoice();
    const docUid = docUidIn(await submit(xml, 'k'));
    await get(`/outbound/${docUid}/file`);
    await submit(xml, 'k');
    const entries = await readWhen(3, { keyId });
    assert.deepEqual(
      entries.map((entry) => entry.docUid),
      [docUid, docUid, docUid],
    );
  });

  test('a call with an unknown key or none is on record without tenant and key', async () => {
    const since = clock.now() + 60_000;
    clock.set(since);
    const software = { 'X-Software-Id': 'stranger/1' };
    await request(`${service.api}/ping`, { headers: software });
    await request(`${service.api}/outbound/x`, { headers: { ...software, 'X-Api-Key': 'demo-nobody' } });
    await request(`${service.api}/codelists/colours`, { headers: software });
    const entries = (await readWhen(3, { since })).filter(({ softwareId }) => softwareId === 'stranger/1');
    assert.deepEqual(entries.map(({ code }) => code).toSorted(), ['ERR-1001', 'ERR-1001', 'ERR-2021']);
    assert.ok(entries.every(({ tenant, keyId }) => tenant === null && keyId === null));
  });

  test('a path or method that does not exist is on record', async () => {
    const since = clock.now() + 60_000;
    clock.set(since);
    const headers = { 'X-Software-Id': 'lost/1' };
    await request(`${service.api}/nothing`, { headers });
    await request(`${service.api}/ping`, { headers, method: 'DELETE' });
    const entries = (await readWhen(2, { since })).filter(({ softwareId }) => softwareId === 'lost/1');
    assert.deepEqual(entries.map(({ httpStatus }) => httpStatus).toSorted(), [404, 405]);
  });

  test('a call that is refused for its Host or Expect headers is on record, with the tenant of its key', async () => {
    const { headers, keyId } = await (await newTenant(service)).withKey();
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `GET /api/integration/v1/ping HTTP/1.1\r\n${fields.join('')}`;
    for (const refused of ['', 'Host: a\r\nHost: b\r\n', 'Host: a\r\nExpect: coffee\r\n']) {
      await sendBytes(service.url, `${head}${refused}\r\n`);
    }
    const entries = await readWhen(3, { keyId });
    assert.deepEqual(entries.map(({ path, httpStatus }) => `${path} ${httpStatus}`).toSorted(), [
      '/api/integration/v1/ping 400',
      '/api/integration/v1/ping 400',
      '/api/integration/v1/ping 417',
    ]);
  });

  test('a call that the service could not carry out at the moment is on record with the code it was answered with', async (t) => {
    const { get, keyId } = await (await newTenant(service)).withKey();
    t.mock.method(service.foundation.storage.outbound, 'find', () =>
      Promise.reject(new ServiceUnavailable('The database is locked.')),
    );
    const answer = await get('/outbound/01890000-0000-7000-8000-000000000000');
    assert.equal(assertPlainProblem(answer, 503), 'The service is busy at this moment. Nothing was changed.');
    const [entry] = await readWhen(1, { keyId });
    assert.deepEqual([entry?.httpStatus, entry?.code], [503, null]);
  });

  test('a download that the client breaks off is on record: the document was read', async () => {
    const tenant = await newTenant(service);
    const { headers, keyId } = await tenant.withKey();
    const large = new Uint8Array(16_777_216);
    const { docUid } = await service.operator.importInbound(tenant.edb, null, large);
    const connection = await openConnection(service.url);
    await connection.send(requestHead('GET', `/api/integration/v1/inbound/${docUid}/file`, headers));
    await connection.begun();
    connection.abort();
    const [entry] = await readWhen(1, { keyId });
    assert.deepEqual([entry?.method, entry?.docUid], ['GET', docUid]);
  });

  test('an upload that the client breaks off is on record, without a document', async () => {
    const { headers, keyId } = await (await newTenant(service)).withKey();
    const sent = { ...headers, 'X-Idempotency-Key': 'k', 'Content-Length': '1000', Expect: '100-continue' };
    const connection = await openConnection(service.url);
    await connection.send(requestHead('POST', '/api/integration/v1/outbound', sent));
    await connection.begun();
    connection.abort();
    const [entry] = await readWhen(1, { keyId });
    assert.deepEqual([entry?.method, entry?.docUid], ['POST', null]);
  });

  test('a submission whose client leaves while it is carried out is on record with its document', async (t) => {
    const tenant = await newTenant(service);
    const { headers, submit, keyId } = await tenant.withKey();
    const xml = freshInvoice();
    const sent = { ...headers, 'X-Idempotency-Key': 'k', 'Content-Length': String(Buffer.byteLength(xml)) };
    await leaveDuring(t, 'idempotency', requestHead('POST', '/api/integration/v1/outbound', sent) + xml);
    const [entry] = await readWhen(1, { keyId });
    assert.deepEqual([entry?.httpStatus, entry?.docUid], [201, docUidIn(await submit(xml, 'k'))]);
  });

  test('a call that is refused after its client has left is on record as refused', async (t) => {
    const { headers, keyId } = await (await newTenant(service)).withKey();
    const path = '/api/integration/v1/outbound/01890000-0000-7000-8000-000000000000';
    await leaveDuring(t, 'outbound', requestHead('GET', path, headers));
    const [entry] = await readWhen(1, { keyId });
    assert.deepEqual([entry?.httpStatus, entry?.code], [404, 'ERR-3001']);
  });

  test('a refused key is on record with its tenant', async () => {
    const tenant = await newTenant(service);
    for (const [order, code] of [
      [{ expiresAt: 1 }, 'ERR-1002'],
      [{ allowedAddresses: ['192.0.2.7'] }, 'ERR-1004'],
      [{ scopes: [] }, 'ERR-1005'],
    ] as const) {
      const { get, keyId } = await tenant.withKey(order);
      await get('/ping');
      const [entry] = await readWhen(1, { keyId });
      assert.deepEqual([entry?.tenant, entry?.code], [tenant.edb, code]);
    }
  });

  test('the software is recorded as it was sent, in any script', async () => {
    const { get, keyId } = await (await newTenant(service)).withKey();
    await get('/ping', { 'X-Software-Id': Buffer.from('Сметководство/2.0 <x>').toString('latin1') });
    const [entry] = await readWhen(1, { keyId });
    assert.equal(entry?.softwareId, 'Сметководство/2.0 <x>');
  });

  test('a call that fails on the service side is on record as ERR-9000', async () => {
    const { get, keyId } = await (await newTenant(service, { environment: 'production' })).withKey();
    await get('/codelists/currencies');
    const [entry] = await readWhen(1, { keyId });
    assert.deepEqual([entry?.httpStatus, entry?.code], [500, 'ERR-9000']);
  });

  test('no secret is in it', async () => {
    const { get, submit, keyId, secret } = await (await newTenant(service)).withKey();
    await get(`/ping?key=${secret}`, { 'X-Idempotency-Key': 'my-idempotency-key' });
    await submit(freshInvoice(), 'my-idempotency-key');
    const text = JSON.stringify(await readWhen(2, { keyId }));
    assert.match(text, /ping/u);
    assert.ok(!text.includes(secret) && !text.includes('my-idempotency-key') && !text.includes('<Invoice'));
  });

  test('path and software are kept up to 200 characters', async () => {
    const { get, keyId } = await (await newTenant(service)).withKey();
    await get(`/outbound/${'x'.repeat(8_000)}`, { 'X-Software-Id': 'y'.repeat(6_000) });
    const [entry] = await readWhen(1, { keyId });
    assert.deepEqual([entry?.path.length, entry?.softwareId?.length], [200, 200]);
    assert.match(entry?.path ?? '', /^\/api\/integration\/v1\/outbound\/x+…$/u);
  });

  test('calls without a key fill neither the database nor the memory: beyond a rate they are counted', async () => {
    clock.advance(60_000);
    const since = clock.now();
    const minute = Math.floor(since / 60_000) * 60_000;
    const softwareId = 'flood/1';
    const call = () =>
      request(`${service.api}/outbound/${'z'.repeat(5_000)}`, { headers: { 'X-Software-Id': softwareId } });
    for (const together of [50, 50]) await Promise.all(Array.from({ length: together }, call));
    clock.advance(60_000);
    const unrecognised = async () =>
      (await read({ since: minute, until: since })).filter(
        ({ tenant, operator }) => tenant === null && operator === null,
      );
    const entries = await until('the count of the minute', async () => {
      const found = await unrecognised();
      return found.some(({ calls }) => calls > 1) ? found : null;
    });
    const single = entries.filter(({ calls }) => calls === 1);
    const counted = entries.filter(({ calls }) => calls > 1);
    assert.equal(single.length, 30);
    assert.deepEqual(
      counted.map(({ address, httpStatus, code, method, calls }) => [address, httpStatus, code, method, calls]),
      [['127.0.0.1', 401, 'ERR-1001', '*', 70]],
    );
    assert.ok(JSON.stringify(entries).length < 30_000);
  });

  test('nor do calls with a known key, revoked or not, at paths that do not count against its limit', async () => {
    const tenant = await newTenant(service);
    const [revoked, valid] = [await tenant.withKey(), await tenant.withKey()];
    await service.operator.keys.revoke(revoked.keyId);
    const paths = ['/nothing', '/openapi.json', '/codelists/colours'];
    for (const { get, keyId } of [revoked, valid]) {
      clock.advance(60_000);
      for (const path of paths) await Promise.all(Array.from({ length: 20 }, () => get(path)));
      clock.advance(60_000);
      const entries = await until('the count of the minute', async () => {
        const found = await read({ keyId });
        return found.some(({ calls }) => calls > 1) ? found : null;
      });
      assert.equal(entries.filter(({ path }) => path !== '*').length, 30);
      assert.deepEqual(
        entries.reduce((sum, { calls }) => sum + calls, 0),
        20 * paths.length,
      );
    }
  });

  test('a command of the operator is on record with the user of the operating system, for its tenant', async () => {
    const tenant = await newTenant(service);
    const { keyId } = await tenant.withKey();
    await service.operator.keys.revoke(keyId);
    await service.operator.tenants.set(tenant.edb, { name: 'New name', eujpId: 'x' });
    const commands = (await read({ tenant: tenant.edb })).filter(({ operator }) => operator !== null);
    assert.deepEqual(
      commands.map(({ path }) => path).toSorted(),
      [
        `key issue ${keyId}`,
        `key issue ${commands.map(({ path }) => path.split(' ')[2]).find((id) => id?.startsWith('key-') && id !== keyId)}`,
        `key revoke ${keyId}`,
        `tenant add ${tenant.edb}`,
        `tenant set ${tenant.edb} name eujpId`,
      ].toSorted(),
    );
    assert.ok(commands.every(({ operator, method }) => operator === userInfo().username && method === 'COMMAND'));
  });

  test('a command that changes nothing leaves no entry', async () => {
    const tenant = await newTenant(service);
    const before = (await read({ tenant: tenant.edb })).length;
    await assert.rejects(service.operator.tenants.add({ ...(await service.operator.tenants.find(tenant.edb)) }));
    await assert.rejects(service.operator.keys.revoke('key-nobody'));
    assert.equal((await read({ tenant: tenant.edb })).length, before);
  });

  test('it is sealed while the service runs, and can be verified', async () => {
    const { get, keyId } = await (await newTenant(service)).withKey();
    await get('/ping');
    await readWhen(1, { keyId });
    const exported = await service.operator.sealAudit();
    const { isIntact, waiting } = await service.operator.verifyAudit(exported, () => undefined);
    assert.deepEqual([isIntact, waiting], [true, 0]);
  });

  test('it is read newest first, by tenant, key, document and time', async () => {
    const tenant = await newTenant(service);
    clock.advance(60_000);
    const from = clock.now();
    await tenant.submitted();
    clock.advance(1_000);
    const docUid = await tenant.submitted();
    const calls = async (filter: Partial<AuditFilter>) =>
      (await read({ tenant: tenant.edb, ...filter })).filter(({ operator }) => operator === null);
    const newest = await calls({});
    assert.deepEqual(
      newest.map(({ at }) => at),
      [from + 1_000, from],
    );
    assert.deepEqual(
      (await read({ docUid })).map((entry) => entry.docUid),
      [docUid],
    );
    assert.equal((await calls({ since: from + 1 })).length, 1);
    assert.equal((await calls({ until: from })).length, 1);
    assert.equal((await read({ tenant: tenant.edb, limit: 1 })).length, 1);
  });
});
