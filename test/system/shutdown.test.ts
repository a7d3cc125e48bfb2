import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { fileOf, newOutbound } from '../engines/samples.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { inTime } from '../support/in-time.ts';
import { isListening, type RunningService, startService, temporaryFolder, until } from '../support/process.ts';
import { startTestService, type TestService, WITH_BACKGROUND } from '../support/service.ts';
import { beginUpload, openConnection, type RawConnection } from './connection.ts';
import { operatorBeside } from './operator-beside.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url));
const ALFA = readEdb('4030026000018');
const HEADERS = { 'X-Api-Key': 'demo-alfa', 'X-Software-Id': 'test/1.0', 'X-Idempotency-Key': 'slow' };
const PING = 'GET /api/integration/v1/ping HTTP/1.1\r\nHost: x\r\nX-Api-Key: demo-alfa\r\nX-Software-Id: t\r\n\r\n';

/** So long the service waits for the rest of what was sent in part. */
const HALF_SENT_MS = 3_000;
/** So long another signal counts as the same; a later one ends the service at once. */
const SAME_SIGNAL_MS = 1_000;
const EVERYTHING = { tenant: null, keyId: null, docUid: null, since: null, until: null, limit: 1_000 };

test('what is under way is finished, nothing new is taken, and nothing is lost', async (t) => {
  const variables = { DATA_DIR: temporaryFolder() };
  let docUid = '';
  let uploads = 0;

  // A stop that something holds up ends after its limit with exit code 1.
  await t.test(
    'on SIGTERM; connections that stay silent do not hold it up, a second signal cuts nothing short',
    async (t) => {
      await inTime(SAME_SIGNAL_MS, async (beginsHere) => {
        const service = await startService(t, variables);
        const silent = [await openConnection(t, service.url), await openConnection(t, service.opsUrl)];
        docUid = await drain(t, service, 'SIGTERM', beginsHere, async () => {
          service.signal('SIGTERM');
          assert.equal((await fetch(`${service.opsUrl}/health/live`)).status, 200);
        });
        await Promise.all(silent.map(({ ended }) => ended));
      });
    },
  );

  await t.test('after a restart the document is there', async (t) => {
    let service: RunningService | null = await startService(t, variables);
    const file = await service.call('demo-alfa', `/outbound/${docUid}/file`);
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), INVOICE);

    await t.test('and on SIGINT it ends in the same way; requests sent before the signal are answered', async (t) => {
      const second = await inTime(HALF_SENT_MS, async (beginsHere) => {
        const stopping = service ?? (await startService(t, variables));
        service = null;
        const pings = await sendPings(t, stopping);
        const drained = await drain(t, stopping, 'SIGINT', beginsHere);
        await Promise.all([...pings.used, ...pings.fresh].map(({ ended }) => ended));
        assert.deepEqual(
          pings.used.map(answers),
          pings.used.map(() => 2),
          'on connections that were in use already',
        );
        assert.deepEqual(
          pings.fresh.map(answers),
          pings.fresh.map(() => 1),
          'on connections that were just opened',
        );
        return drained;
      });
      const operator = await operatorBeside(t, variables);
      const { document } = await operator.inspectOutbound(ALFA, docUidOf(second));
      assert.match(document.documentNumber ?? '', /7001/u);
    });
  });

  /** Ends the service while uploads are under way. Returns the document that came of one of them. */
  async function drain(
    t: TestContext,
    service: RunningService,
    signal: NodeJS.Signals,
    beginsHere: () => void,
    meanwhile: () => Promise<void> = async () => undefined,
  ): Promise<string> {
    const idle = await openConnection(t, service.url);
    idle.send(PING);
    await until('an answer on the connection', () => / 200 OK/u.test(idle.received()));
    const [kept, upload] = await Promise.all(
      [true, false].map((keepAlive) => {
        uploads += 1;
        const headers = { ...HEADERS, 'X-Idempotency-Key': `${uploads}` };
        return beginUpload(t, `${service.api}/outbound`, headers, INVOICE, { keepAlive });
      }),
    );
    assert.ok(kept !== undefined && upload !== undefined);
    const lastRead = await service.call('demo-alfa', '/ping');

    beginsHere();
    service.signal(signal);
    await until('not ready', async () => (await fetch(`${service.opsUrl}/health/ready`)).status === 503);
    await meanwhile();
    await until('new connections refused', async () => !(await isListening(Number(new URL(service.url).port))));
    assert.equal((await kept.complete()).status, 201);
    const answer = await upload.complete();
    assert.equal(answer.status, 201, answer.body);
    assert.equal(await idle.ended, null, 'the idle connection is closed in order');
    const { exitCode, stderr } = await service.finished();
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    const submitted = JSON.parse(answer.body) as { readonly docUid: string };
    const entries = await (await operatorBeside(t, variables)).readAudit(EVERYTHING);
    assert.ok(entries.some((entry) => entry.requestId === lastRead.headers.get('x-request-id')));
    assert.ok(entries.some((entry) => entry.docUid === submitted.docUid && entry.httpStatus === 201));
    return submitted.docUid;
  }
});

/** A request on each of many connections, half of which were used before. */
async function sendPings(t: TestContext, service: RunningService) {
  const used = await open(t, service.url);
  for (const connection of used) {
    connection.send(PING);
    await until('an answer', () => answers(connection) === 1);
  }
  const fresh = await open(t, service.url);
  for (const connection of [...used, ...fresh]) connection.send(PING);
  return { used, fresh };
}

function open(t: TestContext, address: string): Promise<RawConnection[]> {
  return Promise.all(Array.from({ length: 20 }, () => openConnection(t, address)));
}

function answers(connection: RawConnection): number {
  return connection.received().split('HTTP/1.1 200 OK').length - 1;
}

test('half-sent requests get 503 or are closed, and an answer that nobody reads is cut: the end comes', async (t) => {
  const service = await startTestService({ variables: WITH_BACKGROUND });
  await beginToDownload(t, service);
  const upload = await beginUpload(t, `${service.api}/outbound`, HEADERS, INVOICE, { keepAlive: true });
  const head = await openConnection(t, service.url);
  head.send(PING.slice(0, 40));
  const trickling = await openConnection(t, service.url);
  trickling.send('POST /api/integration/v1/outbound HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\na');
  await until('an answer', () => / 401 /u.test(trickling.received()));
  const stopped = service.stop();
  assert.equal((await upload.answered).status, 503);
  await stopped;
  await Promise.all([head.ended, trickling.ended]);
});

/** Asks for a file that is larger than what systems hold of an answer, and gets the first of it. */
async function beginToDownload(t: TestContext, service: TestService): Promise<void> {
  const { storage, clock } = service.foundation;
  // Stored by itself: to have it judged as a submission would take longer than everything else here.
  const large = newOutbound({ ubl: fileOf(new Uint8Array(49_000_000)) });
  const { docUid } = await storage.transaction((tx) => tx.outbound.add(ALFA, large, clock.now()));
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(PING.replace('/ping', `/outbound/${docUid}/file`));
  await once(socket, 'data');
  socket.pause();
}
