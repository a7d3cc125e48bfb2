import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { freshInvoice } from '../contract/support/documents.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { until } from '../support/process.ts';
import { as, startTestService } from '../support/service.ts';
import { type Attacker, attackerOn, attackersOn, head, MIB, openDescriptors, submissionHead } from './attack-client.ts';

/** Longer than the machine stands still. */
const PATIENT = { HEADERS_TIMEOUT_SECONDS: '15', REQUEST_TIMEOUT_SECONDS: '15' };
const service = await startTestService({ variables: { ...PATIENT, IDLE_TIMEOUT_SECONDS: '1' } });
after(() => service.stop());
const hasty = await startTestService({ variables: { HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '2' } });
after(() => hasty.stop());

/** Their own descriptors stay, as they never close; those of the service must go. */
async function assertAllGone(attackers: readonly Attacker[], before: number): Promise<void> {
  await until('every connection ended by the service', () => attackers.every(({ hasEnded }) => hasEnded()));
  const theirs = attackers.filter(({ socket }) => !socket.destroyed).length;
  await until('the descriptors of the service released', () => openDescriptors() <= before + theirs);
}

function statusOf({ received }: Attacker): string {
  return received().slice(0, 12);
}

function assertProblemOnSocket(attacker: Attacker, status: number): void {
  const text = attacker.received();
  assert.equal(statusOf(attacker), `HTTP/1.1 ${status}`, text);
  assert.match(text, /\r\ncontent-type: application\/problem\+json/iu);
  assert.match(text, /\r\nx-request-id: [0-9a-f-]{36}\r\n/iu);
}

suite('connections that take and do not give back', () => {
  test('60 with one key that declare 10 MiB and send nothing: others submit at once, and all are gone after 408', async (t) => {
    const before = openDescriptors();
    const tenant = await newTenant(service);
    const attackers = await attackersOn(t, service, 60);
    for (const { send } of attackers) await send(submissionHead('demo-alfa', 10 * MIB));
    assert.equal((await tenant.submit(freshInvoice())).status, 201);
    assert.ok(attackers.every(({ hasEnded }) => !hasEnded()));
    await assertAllGone(attackers, before + 2);
    for (const attacker of attackers) {
      assertProblemOnSocket(attacker, 408);
      assert.match(attacker.received(), /\r\nratelimit: "minute";r=/u);
    }
    assert.equal((await tenant.submit(freshInvoice())).status, 201);
  });

  test('silent ones are answered 408 and gone after the time for headers', async (t) => {
    const before = openDescriptors();
    const attackers = await attackersOn(t, hasty, 30);
    await assertAllGone(attackers, before);
    for (const attacker of attackers) assertProblemOnSocket(attacker, 408);
  });

  test('one that writes its headers byte by byte is cut off in time, however long it goes on', async (t) => {
    const before = openDescriptors();
    const attacker = await attackerOn(t, hasty);
    const bytes = submissionHead('demo-alfa', 10).slice(0, -2).repeat(1_000);
    const opened = performance.now();
    for (let sent = 0; !attacker.hasEnded(); sent += 1) {
      await attacker.send(bytes[sent] ?? 'a');
      await until('a moment', () => performance.now() - opened > sent * 20);
    }
    assertProblemOnSocket(attacker, 408);
    await assertAllGone([attacker], before);
  });

  test('idle ones are closed after the time between two requests', async (t) => {
    const before = openDescriptors();
    const attackers = await attackersOn(t, service, 10);
    for (const { send } of attackers) await send(head('GET', '/ping', as('demo-alfa')));
    await assertAllGone(attackers, before);
    for (const attacker of attackers) assert.equal(statusOf(attacker), 'HTTP/1.1 200');
  });

  test('one that asks for a large file and reads nothing of it does not keep it', async (t) => {
    const tenant = await newTenant(hasty);
    const { docUid } = await hasty.operator.importInbound(tenant.edb, null, new Uint8Array(48 * MIB));
    const before = openDescriptors();
    const attacker = await attackerOn(t, hasty, { reads: false });
    await attacker.send(head('GET', `/inbound/${docUid}/file`, tenant.headers));
    await until('the descriptor of the service released', () => openDescriptors() <= before + 1);
  });
});

suite('an answer before the end of the body', () => {
  const ANSWERS: Readonly<Record<string, readonly [number, string]>> = {
    'too large': [413, submissionHead('demo-alfa', 11 * MIB)],
    'without a key': [401, head('POST', '/outbound', { 'Content-Length': '1000' })],
    'to a call without a body': [
      413,
      head('POST', '/outbound/x/cancel', { ...as('demo-alfa'), 'Content-Length': '99999' }),
    ],
    'at an unknown address': [404, head('POST', '/nothing', { 'Content-Length': '1000' })],
    'by a wrong method': [405, head('DELETE', '/ping', { 'Content-Length': '1000' })],
    'with an unknown expectation': [417, head('POST', '/outbound', { 'Content-Length': '1000', Expect: 'coffee' })],
    'on a connection that the client wants closed': [
      401,
      head('POST', '/outbound', { 'Content-Length': '9', Connection: 'close' }),
    ],
  };
  const BROKEN: typeof ANSWERS = {
    'bytes that are no HTTP': [400, 'nonsense\r\n\r\n'],
    'headers too large': [431, `GET / HTTP/1.1\r\nX-Large: ${'a'.repeat(20_000)}`],
    CONNECT: [405, 'CONNECT example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
  };

  test('reaches a client that is still sending, and the connection is gone soon after', async (t) => {
    const before = openDescriptors();
    const attacks = await Promise.all(
      Object.entries({ ...ANSWERS, ...BROKEN }).map(async ([name, [status, bytes]]) => {
        const attacker = await attackerOn(t, service);
        await attacker.send(bytes);
        await until(`an answer: ${name}`, () => attacker.received().includes('\r\n\r\n'));
        for (let count = 0; count < 5; count += 1) await attacker.send('more of what is refused');
        return { name, status, attacker };
      }),
    );
    await assertAllGone(
      attacks.map(({ attacker }) => attacker),
      before,
    );
    for (const { attacker, status } of attacks) {
      assertProblemOnSocket(attacker, status);
      assert.match(attacker.received(), /\r\nconnection: close\r\n/iu);
    }
  });
});
