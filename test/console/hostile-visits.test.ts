import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { openConnection, requestHead } from '../support/http-client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOperator, throughProxy, visitor } from './console-visitor.ts';

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly cutBody?: string };

suite('hostile visits to the console', () => {
  let service: TestService;

  before(async () => {
    // Attempts are counted by the minute, and a busy machine may need one for these.
    const clock = clockAt(Date.now());
    service = await startTestService({ clock, variables: { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' } });
    await addOperator(service.foundation.storage, 'petar', 'viewer');
  });
  after(() => service.stop());

  test('hosts that are none are refused, and a form that ends too early is no error of the service', async () => {
    for (const host of ['127.0.0.1:99999', 'localhost:70000', '127.999.1.1']) {
      assert.equal(await statusOf({ headers: { host } }), 403, host);
    }
    for (const host of ['a:b', '[[', 'a:99999', ':', '999.999.1.1']) {
      assert.equal(await statusOf({ headers: { host, 'x-forwarded-proto': 'https' } }), 403, host);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '100' };
    await assert.rejects(statusOf({ headers: { origin: service.opsUrl, ...form }, cutBody: 'name=petar' }));
    const petar = visitor(service.opsUrl);
    await petar.signIn('petar');
    assert.doesNotMatch((await petar.get('/system')).text, /failed unexpectedly/u);
  });

  test('a form that is larger than any of ours is refused, and the next request on its connection is answered', async () => {
    const form = `name=petar&password=${'x'.repeat(1_000_000)}`;
    const connection = await openConnection(service.opsUrl);
    const head = requestHead('POST', '/console/sign-in', {
      Host: new URL(service.opsUrl).host,
      Origin: service.opsUrl,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(form.length),
    });
    await connection.send(head + form);
    const refusal = await connection.response();
    await connection.send(requestHead('GET', '/health/live', { Host: '127.0.0.1' }));
    const next = await connection.response();
    connection.abort();
    assert.deepEqual([refusal?.status, next?.status], [403, 200]);
  });

  test('a form without an end is not read on and on', async () => {
    const { host } = new URL(service.opsUrl);
    const headers = { host, origin: service.opsUrl, 'content-type': 'application/x-www-form-urlencoded' };
    const sent = request(`${service.opsUrl}/console/sign-in`, { method: 'POST', headers });
    const closed = new Promise((resolve) => sent.once('error', resolve));
    const piece = Buffer.alloc(65_536, 'x');
    const write = (): void => void sent.write(piece, (error) => (error ? undefined : write()));
    write();
    assert.ok((await closed) instanceof Error);
  });

  test('attempts for a name that nobody can have, and those from where too many come, count for no name', async () => {
    const guess = async (name: string, from: string) => {
      const fields = { name, password: 'guessed-password' };
      return (await visitor(service.opsUrl).post('/sign-in', fields, throughProxy(service.opsUrl, from))).status;
    };
    const long = 'Nobody '.repeat(2_000);
    for (let count = 0; count < 20; count += 1) assert.equal(await guess(long, '203.0.113.20'), 403);
    for (let count = 0; count < 8; count += 1) assert.equal(await guess('petar', '203.0.113.20'), 429);
    assert.equal(await guess('petar', '203.0.113.21'), 403, 'nobody has guessed at this name yet');
  });

  test('what came in HTTP/1.0 came through a proxy that does not say so, as nginx in most versions', async () => {
    const { host } = new URL(service.opsUrl);
    for (const [version, expected] of [
      ['1.1', 200],
      ['1.0', 403],
    ] as const) {
      const head = requestHead('HEAD', '/console/sign-in', { Host: host, Connection: 'close' });
      const connection = await openConnection(service.opsUrl);
      await connection.send(head.replace('HTTP/1.1', `HTTP/${version}`));
      assert.equal((await connection.response({ toHead: true }))?.status, expected, version);
      connection.abort();
    }
  });

  /** `fetch` chooses the Host header itself, and sends whole bodies. */
  function statusOf({ headers, cutBody }: Sent): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const method = cutBody === undefined ? 'GET' : 'POST';
      const call = request(`${service.opsUrl}/console/sign-in`, { method, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      call.once('error', reject);
      if (cutBody === undefined) call.end();
      else call.write(cutBody, () => call.destroy(new Error('The browser was closed.')));
    });
  }
});
