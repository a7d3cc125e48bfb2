import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { freshInvoice } from '../contract/support/documents.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { until } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { type Attacker, attackerOn, head, MIB } from './attack-client.ts';

const service = await startTestService({
  variables: { HEADERS_TIMEOUT_SECONDS: '3600', REQUEST_TIMEOUT_SECONDS: '3600' },
});
after(() => service.stop());
const tenant = await newTenant(service);

const GARBAGE = '\x00garbage\r\n\r\n';
const PING = head('GET', '/ping', tenant.headers);

/** Distinct documents, each larger than one read from a connection. */
function submission(key: string, bytes: number): string {
  const xml = freshInvoice().replace('</cbc:ID>', `</cbc:ID><!--${'x'.repeat(bytes)}-->`);
  const headers = { 'X-Idempotency-Key': key, 'Content-Length': String(Buffer.byteLength(xml)) };
  return head('POST', '/outbound', { ...tenant.headers, ...headers }) + xml;
}

function statusesIn({ received }: Attacker): readonly string[] {
  return [...received().matchAll(/HTTP\/1\.1 (\d{3})/gu)].map(([, status = '']) => status);
}

async function ended(attacker: Attacker): Promise<void> {
  await until('the end of the connection', () => attacker.hasEnded());
}

async function totalCount(): Promise<number> {
  return (JSON.parse((await tenant.get('/outbound?pageSize=1')).text) as { readonly totalCount: number }).totalCount;
}

suite('bytes that are no HTTP behind a whole request', () => {
  for (const [name, bytes] of Object.entries({ small: 10, large: 3 * MIB })) {
    test(`a ${name} submission is stored and answered, then comes 400 and the end`, async (t) => {
      const before = await totalCount();
      const attacker = await attackerOn(t, service);
      await attacker.send(submission(`whole ${name}`, bytes) + GARBAGE + PING);
      await ended(attacker);
      assert.deepEqual(statusesIn(attacker), ['201', '400'], attacker.received());
      const last = attacker.received().slice(attacker.received().lastIndexOf('HTTP/1.1'));
      assert.match(last, /\r\nconnection: close\r\n/iu);
      assert.equal(await totalCount(), before + 1);
    });
  }

  test('sent while the submission is being carried out, they change nothing in its answer', async (t) => {
    const attacker = await attackerOn(t, service);
    await attacker.send(submission('being carried out', 3 * MIB));
    await attacker.send(GARBAGE);
    await attacker.send(PING);
    await ended(attacker);
    assert.deepEqual(statusesIn(attacker), ['201', '400'], attacker.received());
  });

  test('behind several requests, each of these has its answer, in their order', async (t) => {
    const attacker = await attackerOn(t, service);
    const unknown = head('GET', '/outbound/x', tenant.headers);
    await attacker.send(submission('several', 100_000) + unknown + PING + GARBAGE);
    await ended(attacker);
    assert.deepEqual(statusesIn(attacker), ['201', '404', '200', '400'], attacker.received());
  });

  test('in the body of the last request, they refuse that one alone', async (t) => {
    const attacker = await attackerOn(t, service);
    const chunked = { ...tenant.headers, 'X-Idempotency-Key': 'bad chunk', 'Transfer-Encoding': 'chunked' };
    await attacker.send(`${submission('before a bad chunk', 100_000)}${head('POST', '/outbound', chunked)}zz\r\n`);
    await ended(attacker);
    assert.deepEqual(statusesIn(attacker), ['201', '400'], attacker.received());
  });
});

test('the 408 for half of a request comes after the answer to the whole one before it', async (t) => {
  const hasty = await startTestService({ variables: { HEADERS_TIMEOUT_SECONDS: '1' } });
  t.after(() => hasty.stop());
  const { edb, headers } = await newTenant(hasty);
  const { docUid } = await hasty.operator.importInbound(edb, null, new Uint8Array(24 * MIB));
  const ping = head('GET', '/ping', headers);
  // On a machine that stands still the time for the first headers is over before they are read.
  const attacker = await until('a connection whose first request was heard in time', async () => {
    const one = await attackerOn(t, hasty);
    await one.send(ping);
    await until('an answer', () => one.received().includes('}'));
    return one.received().startsWith('HTTP/1.1 200 ') ? one : null;
  });
  const before = attacker.received().length;
  attacker.socket.pause();
  await attacker.send(head('GET', `/inbound/${docUid}/file`, headers) + ping.slice(0, 20));
  const since = performance.now();
  await until('the time for headers is over', () => performance.now() - since > 2_000);
  attacker.socket.resume();
  await ended(attacker);
  const text = attacker.received().slice(before);
  assert.match(text, /^HTTP\/1\.1 200 /u);
  assert.ok(text.indexOf('HTTP/1.1 408 ') > 24 * MIB, `${text.length} bytes`);
});

test('hundreds of requests in one piece are answered in their order', async (t) => {
  const attacker = await attackerOn(t, service);
  const paths = Array.from({ length: 300 }, (_, number) => (number % 3 === 0 ? '/outbound/x' : '/ping'));
  await attacker.send(paths.map((path) => head('GET', path, tenant.headers)).join(''));
  await until('all answers', () => statusesIn(attacker).length === paths.length);
  assert.deepEqual(
    statusesIn(attacker),
    paths.map((path) => (path === '/ping' ? '200' : '404')),
  );
});

test('requests that waited on a connection that is gone are not counted as under way', async (t) => {
  const { docUid } = await service.operator.importInbound(tenant.edb, null, new Uint8Array(24 * MIB));
  const attacker = await attackerOn(t, service, { reads: false });
  await attacker.send(head('GET', `/inbound/${docUid}/file`, tenant.headers) + PING.repeat(20));
  await until('all requests arrived', () => service.underWay().requests === 21);
  attacker.socket.destroy();
  await until('none under way', () => service.underWay().requests === 0);
});
