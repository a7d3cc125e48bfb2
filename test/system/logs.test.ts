import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { type RunningService, startDostava, startService, temporaryFolder, until } from '../support/process.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { assertKeyNowhere, misplaceKey } from './misplaced-key.ts';
import { operatorBeside } from './operator-beside.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
/** Stands in every body that is sent; no log line may hold it. */
const MARKER = 'Zelena-Salata-4711';
const UNKNOWN_KEY = 'dostava_0000000000000000000000000000000000abcd';

const REQUEST_ID = 'ledger:2026-11-16.0001';
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

type Line = Readonly<Record<string, unknown>> & {
  readonly requestId?: string;
  readonly eventId?: string;
  readonly err?: { readonly type: string; readonly message: string; readonly stack: string };
};

test('with --json the demo greets nobody: every line of its output is JSON, from where it listens to its end', async (t) => {
  const ports = { PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0' };
  const service = startDostava(t, ['serve', '--json'], { DATA_DIR: temporaryFolder(), ...ports });
  await service.waitFor(/"url":"http[^"]+".*"msg":"Dostava listens on [^"]+"/u);
  service.signal('SIGTERM');
  const { exitCode, stdout, stderr } = await service.finished();
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  const messages = lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
  assert.deepEqual(messages.slice(-2), ['Dostava is stopping', 'Dostava has stopped']);
});

test('with --json a start that is refused says why in JSON', async (t) => {
  const { exitCode, stdout, stderr } = await startDostava(t, ['serve', '--json'], { PORT: 'none' }).finished();
  assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' });
  assert.match((JSON.parse(stderr) as { readonly error: string }).error, /- PORT: /u);
});

test('at the most talkative level the log says what happened and gives nothing away', async (t) => {
  const dataDir = temporaryFolder();
  const service = await startService(t, { DATA_DIR: dataDir, LOG_LEVEL: 'trace', DELIVERY_HOLD_SECONDS: '0' });
  const welcome = service.stdout();
  const { keys } = await operatorBeside(t, { DATA_DIR: dataDir });
  const tenant = readEdb('4030026000018');
  const { secret: key } = await keys.issue({ tenant, software: 'ledger' });
  const { secret: misplaced } = await keys.issue({ tenant, software: 'careless', callsPerMinute: 10_000 });
  const submit = (idempotencyKey: string, body: string) =>
    service.call(key, '/outbound', { method: 'POST', body, headers: { 'X-Idempotency-Key': idempotencyKey } });
  const ping = await service.call(key, '/ping?secret=in-the-query');
  const answers = [
    ping,
    await service.call('demo-alfa', '/inbound'),
    await service.call('demo-revoked', '/ping'),
    await service.call('demo-limited', '/nothing/here'),
    await service.call(UNKNOWN_KEY, '/ping'),
    await submit('good', INVOICE.replace(/<cbc:Note>[^<]*/u, `<cbc:Note>${MARKER}`)),
    await submit('not-xml', `<Invoice>${MARKER}`),
    await submit('not-ubl', `<${MARKER}/>`),
    await submit('bad-number', INVOICE.replace('4080026000023', MARKER)),
    await submit('bad-schema', INVOICE.replace('<cbc:ID>', `<cbc:ID>x</cbc:ID><cbc:${MARKER}/><cbc:ID>`)),
  ];
  const traced = await service.call(key, '/outbound', {
    method: 'POST',
    body: INVOICE.replaceAll('2026-7001', '2026-7002'),
    headers: { 'X-Idempotency-Key': 'traced', 'X-Request-Id': REQUEST_ID, Traceparent: TRACEPARENT },
  });
  const { docUid } = (await traced.json()) as { readonly docUid: string };
  const accepted = new RegExp(`"outcome":"accepted".*"docUid":"${docUid}"`, 'u');
  await until('the document is delivered', async () => accepted.test(service.stdout()));
  const broken = await service.call('demo-delta', '/codelists/currencies');
  await haveRequestsRefused(service);
  await misplaceKey(service.url, misplaced);
  await service.stop();

  const lines = service.stdout().slice(welcome.length).trim().split('\n');
  const log = lines.map((line) => JSON.parse(line) as Line);

  await t.test('the bodies were taken and refused as they should be', () => {
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, [400, 200, 401, 404, 401, 201, 400, 400, 400, 400]);
  });

  await t.test('each request has one line, found by the X-Request-Id of its answer', () => {
    for (const answer of [...answers, broken]) {
      const found = log.filter(({ msg, requestId }) => msg === 'request' && requestId === requestIdOf(answer));
      assert.equal(found.length, 1);
      const [line] = found;
      assert.equal(line?.['status'], answer.status);
      assert.equal(line?.['path'], new URL(answer.url).pathname);
      assert.match(String(line?.['time']), /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/u);
      assert.equal(line?.['level'], 'info');
    }
    assert.equal(log.find(({ requestId }) => requestId === requestIdOf(ping))?.['tenant'], '4030026000018');
  });

  await t.test('what the caller calls its request stands in the answer and in all lines about its document', () => {
    assert.equal(requestIdOf(traced), REQUEST_ID);
    assert.equal(traced.headers.get('traceparent'), TRACEPARENT);
    const own = log.filter((line) => line['docUid'] === docUid);
    assert.deepEqual(new Set(own.map(({ msg }) => msg)), new Set(['request', 'document delivery']));
    for (const line of own) {
      assert.deepEqual([line.requestId, line['traceId']], [REQUEST_ID, TRACEPARENT.split('-')[1]]);
    }
  });

  await t.test(
    'the event of an unexpected error is found beside its cause, which the answer does not tell',
    async () => {
      assert.equal(broken.status, 500);
      const problem = (await broken.json()) as { readonly eventId: string; readonly detail: string };
      const event = log.find(({ eventId }) => eventId === problem.eventId);
      assert.equal(event?.requestId, requestIdOf(broken));
      assert.equal(event?.['level'], 'error');
      assert.match(event?.err?.message ?? '', /HTTP 502/u);
      assert.match(event?.err?.stack ?? '', /\n\s+at /u);
      assert.doesNotMatch(problem.detail, /502|http:|\bat /u);
    },
  );

  await t.test('a stop because of refused requests is in it once, as a warning', () => {
    const [line, ...more] = log.filter(({ msg }) => String(msg).includes('delivery stopped'));
    assert.deepEqual(more, []);
    const { level, tenant, failureCode, message } = line as Readonly<Record<string, unknown>>;
    assert.deepEqual([level, tenant, failureCode], ['warn', '4030026000018', 'REQUEST-REFUSED']);
    assert.match(String(message), /E7777/u);
  });

  await t.test('no key, no document and no query is in it', () => {
    const everything = lines.join('\n');
    const keys = [key, UNKNOWN_KEY, 'demo-alfa', 'demo-revoked', 'demo-limited', 'demo-delta'];
    for (const secret of [...keys, MARKER, 'in-the-query']) assert.ok(!everything.includes(secret), secret);
    assert.doesNotMatch(everything, /cbc:|<Invoice|AccountingSupplierParty/u);
  });

  await t.test('a key that a caller sends in the wrong place is neither in the database nor in the log', () => {
    const files = readdirSync(dataDir).filter((name) => name.startsWith('dostava.sqlite'));
    assert.ok(files.length > 0);
    assertKeyNowhere(misplaced, [
      service.stdout(),
      ...files.map((name) => readFileSync(join(dataDir, name), 'latin1')),
    ]);
  });
});

/** Stops a taxpayer, which the metrics tell by its cause; then another one's document is delivered. */
async function haveRequestsRefused(service: RunningService): Promise<void> {
  const submit = (key: string, number: string, body: string) =>
    service.call(key, '/outbound', { method: 'POST', headers: { 'X-Idempotency-Key': number }, body });
  // Both are due before the first can be tried a second time.
  const refused = ['SIM-E7777-1', 'SIM-E7777-2'].map((number) =>
    submit('demo-alfa', number, sampleInvoice({ number })),
  );
  for (const { status } of await Promise.all(refused)) assert.equal(status, 201);
  const sample = /^dostava_tenants_stopped\{cause="refused-(?:requests|document)"\} 1$/mu;
  await until('the metric', async () => sample.test(await (await fetch(`${service.opsUrl}/metrics`)).text()));
  await service.waitFor(/delivery stopped: the authority refuses/u);
  const [supplier, recipient] = [{ taxNumber: '4080026000023' }, { taxNumber: '4030026000018' }];
  const beside = await submit('demo-beta', 'BESIDE', sampleInvoice({ number: 'BESIDE', supplier, recipient }));
  const { docUid } = (await beside.json()) as { readonly docUid: string };
  await service.waitFor(new RegExp(`"outcome":"accepted".*"docUid":"${docUid}"`, 'u'));
}

function requestIdOf(answer: Response): string {
  return answer.headers.get('x-request-id') ?? assert.fail('The answer has no X-Request-Id.');
}
