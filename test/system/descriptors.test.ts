import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { QUICK_START, serviceAt, startProgram, temporaryFolder, until } from '../support/process.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';

/** A service needs some sixty for itself. */
const DESCRIPTORS = 160;
const CONNECTIONS = 300;
const ROUNDS = process.env['TEST_LONG'] === '1' ? 50 : 2;
const WELCOME = /demo environment: (\S+)\/api\/integration\/v1\n/u;
const KEY = 'demo-alfa';

test('a service without a free descriptor lives on, loses nothing, and serves when there are some again', async (t) => {
  const variables = {
    DATA_DIR: temporaryFolder(),
    DELIVERY_HOLD_SECONDS: '86400',
    MAX_CONNECTIONS_PER_ADDRESS: '2000',
    PORT: '0',
    OPS_PORT: '0',
    SIMULATOR_PORT: '0',
  };
  const limited = `ulimit -n ${DESCRIPTORS} && exec "$0" "$@"`;
  const program = ['-c', limited, process.execPath, ...QUICK_START, 'src/main.ts', 'serve'];
  const running = startProgram(t, '/bin/sh', program, variables);
  const [, url = ''] = await running.waitFor(WELCOME);
  const service = serviceAt(running, url);
  const submit = async (number: string) => {
    const xml = sampleInvoice({ number });
    const answer = await service.call(KEY, '/outbound', {
      method: 'POST',
      headers: { 'X-Idempotency-Key': number, Connection: 'close' },
      body: xml,
    });
    const { docUid } = (await answer.json()) as { readonly docUid?: string };
    return answer.ok && docUid !== undefined ? { docUid, xml } : null;
  };
  const stored: { readonly docUid: string; readonly xml: string }[] = [];

  for (let round = 0; round < ROUNDS; round += 1) {
    stored.push((await submit(`before-${round}`)) ?? assert.fail('not stored'));
    const sockets = Array.from({ length: CONNECTIONS }, () => openSocket(url));
    t.after(() => sockets.forEach((socket) => void socket.destroy()));
    const refused = () => sockets.filter((socket) => socket.closed).length;
    await until('connections are closed for want of a descriptor', () => refused() >= CONNECTIONS - DESCRIPTORS);
    const during = submit(`during-${round}`).catch(() => null);
    for (const socket of sockets) socket.destroy();
    const taken = await during;
    if (taken !== null) stored.push(taken);
    const after = await until('served again', () => submit(`after-${round}`).catch(() => null));
    stored.push(after);
  }
  for (const { docUid, xml } of stored) {
    const answer = await service.call(KEY, `/outbound/${docUid}/file`);
    assert.equal(await answer.text(), xml);
  }
  await service.stop();
});

function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  return socket;
}
