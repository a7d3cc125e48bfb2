import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { formatInstant } from '../../src/domain/values/instant.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { PROJECT, temporaryFolder } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';
import { serviceHere } from './service-here.ts';

const UBL = join(PROJECT, 'docs/examples/invoice.xml');
const PDF = join(PROJECT, 'src/demo/inbound/scanned-invoice.pdf');
const ALFA = readEdb('4030026000018');
const ZETA = '4044026000055';
const FAILURE = { failureCode: 'AUTHORITY-UNREACHABLE', failureMessage: 'The authority could not be reached.' };

const variables = { DATA_DIR: temporaryFolder(), DELIVERY_HOLD_SECONDS: '86400' };
const service = await serviceHere({ after }, variables);
const { run, json, refusal } = commandsHere(variables);

type Change = { readonly at: string; readonly status: number; readonly failureCode: string | null };
type Shown = Readonly<Record<string, unknown>> & { readonly history: readonly Change[] };
type Imported = { readonly file: string; readonly docUid: string; readonly shape: string; readonly isNew: boolean };
type Detail = {
  readonly senderEdb: string | null;
  readonly documentNumber: string | null;
  readonly amount: number | null;
};

test('outbound documents are shown and retried beside a running service', async (t) => {
  const headers = { 'X-Idempotency-Key': 'one' };
  const submitted = await service.call('demo-alfa', '/outbound', {
    method: 'POST',
    headers,
    body: await readFile(UBL),
  });
  const { docUid, receivedAt } = (await submitted.json()) as { readonly docUid: string; readonly receivedAt: string };

  await t.test('show prints what is known of a document and its history', async () => {
    const [shown, { stdout }] = await Promise.all([
      json<Shown>('outbound', 'show', docUid),
      run('outbound', 'show', docUid),
    ]);
    const { history, ...facts } = shown;
    assert.deepEqual(facts, {
      tenant: ALFA,
      docUid,
      status: 10,
      createdAt: receivedAt,
      partnerEdb: '4080026000023',
      documentNumber: facts['documentNumber'],
      amount: facts['amount'],
      currency: 'MKD',
      kind: 'Invoice',
      failureCode: null,
      failureMessage: null,
      ujp: null,
      software: 'demo-alfa',
      nextStepAt: formatInstant(Date.parse(receivedAt) + 86_400_000),
      void: null,
      attempts: [],
      warnings: [],
      strayRegistrations: [],
    });
    assert.match(String(facts['documentNumber']), /7001/u);
    assert.deepEqual(history, [{ status: 10, at: receivedAt, failureCode: null }]);
    assert.match(stdout, /^FACT +VALUE\n/u);
    assert.match(stdout, new RegExp(`^docUid +${docUid}$`, 'mu'));
    assert.match(stdout, new RegExp(`\\n\\nAT +STATUS +FAILURE\\n${receivedAt} +10 +-\\n$`, 'u'));
  });

  await t.test('a document that has not failed is not retried', async () => {
    const [exitCode, stderr] = await refusal('outbound', 'retry', docUid);
    assert.equal(exitCode, 1);
    assert.match(stderr, new RegExp(`${docUid} is not in status 55; only failed documents can be retried`, 'u'));
  });

  await t.test('a failed document that is retried goes back into the queue, once', async (t) => {
    await fail(t, docUid);
    const failed = await json<Shown>('outbound', 'show', docUid);
    assert.deepEqual([failed['status'], failed['failureCode']], [55, FAILURE.failureCode]);
    assert.deepEqual(await json('outbound', 'retry', docUid), { docUid, tenant: ALFA, status: 20 });
    const history = await service.call('demo-alfa', `/outbound/${docUid}/history`);
    const { transitions } = (await history.json()) as { readonly transitions: readonly Change[] };
    assert.deepEqual(
      transitions.slice(0, 3).map(({ status, failureCode }) => [status, failureCode]),
      [
        [10, null],
        [55, FAILURE.failureCode],
        [20, null],
      ],
    );
    assert.equal((await refusal('outbound', 'retry', docUid))[0], 1);
    const { stdout } = await run('outbound', 'show', docUid);
    assert.match(stdout, /^failureCode +-$/mu);
  });
});

test('what was sent to the authority is shown to the operator alone, and can be saved', async (t) => {
  const headers = { 'X-Idempotency-Key': 'sent' };
  const body = (await readFile(UBL, 'utf8')).replace('2026-7001', '2026-7009');
  const { docUid } = (await (
    await service.call('demo-alfa', '/outbound', { method: 'POST', headers, body })
  ).json()) as { readonly docUid: string };
  const [exitCode, stderr] = await refusal('outbound', 'sent', docUid);
  assert.equal(exitCode, 3);
  assert.match(stderr, /What was sent of the document .* is not in the database\./u);
  const { engine, storage } = await openFoundation(readConfig(variables));
  t.after(() => engine.close());
  await storage.transaction(async (tx) => {
    const document = { docTypeCode: '380', docNumber: '2026-7009', docDate: '2026-11-16', docId: docUid };
    const payload = { ...document, text: '{"document":{"note":"a  b"}}', warnings: [], sentAt: 1 };
    await tx.deliveries.savePayload(ALFA, docUidOf(docUid), { ...payload, requestTimestamp: '2026-11-16T09:00:00' });
  });
  const sent = '{"requestTimestamp":"2026-11-16T09:00:00","document":{"note":"a  b"}}';
  assert.deepEqual(await json('outbound', 'sent', docUid), JSON.parse(sent));
  const file = join(temporaryFolder(), 'sent.json');
  assert.equal((await run('outbound', 'sent', docUid, '--to', file)).exitCode, 0);
  assert.equal(await readFile(file, 'utf8'), sent);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.match((await refusal('outbound', 'sent', docUid, '--to', file))[1], /sent\.json cannot be written: EEXIST/u);
  assert.equal((await service.call('demo-alfa', `/outbound/${docUid}/file?format=ujp`)).status, 404);
});

test('a stray registration is shown with the document', async (t) => {
  const headers = { 'X-Idempotency-Key': 'stray' };
  const body = (await readFile(UBL, 'utf8')).replace('2026-7001', '2026-7011');
  const { docUid } = (await (
    await service.call('demo-alfa', '/outbound', { method: 'POST', headers, body })
  ).json()) as { readonly docUid: string };
  const { engine, storage } = await openFoundation(readConfig(variables));
  t.after(() => engine.close());
  const facts = { euid: '01a1e35e-c000-7aaa-8bbb-000000000001', act: 'send', status: 60, answer: null } as const;
  const stray = { ...facts, registeredAt: null, recordedAt: Date.parse('2026-11-16T09:00:00Z') };
  await storage.transaction((tx) => tx.strayRegistrations.add(ALFA, docUidOf(docUid), stray));
  const shown = await json<Shown>('outbound', 'show', docUid);
  assert.deepEqual(shown['strayRegistrations'], [{ ...stray, recordedAt: '2026-11-16T09:00:00.000Z' }]);
  const { stdout } = await run('outbound', 'show', docUid);
  assert.match(stdout, /\n\nSTRAY REGISTRATION .*\n2026-11-16T09:00:00\.000Z +01a1e35e-c000-\S+ +send +60\n$/u);
});

test('a rejected document is retried only when that is said expressly, and what came with an error is shown', async (t) => {
  const headers = { 'X-Idempotency-Key': 'rejected' };
  const body = (await readFile(UBL, 'utf8')).replace('2026-7001', '2026-7010');
  const submitted = await service.call('demo-alfa', '/outbound', { method: 'POST', headers, body });
  const { docUid } = (await submitted.json()) as { readonly docUid: string };
  assert.match((await refusal('outbound', 'retry', docUid, '--rejected'))[1], /is not in status 50; only rejected/u);
  const { engine, storage } = await openFoundation(readConfig(variables));
  t.after(() => engine.close());
  const error = { code: 'E1020', message: 'Totals', details: '{"row":3}' };
  const nothing = { euid: null, qrLink: null, registeredAt: null, statusCode: null, statusName: null };
  const ujp = { accepted: false, ...nothing, message: 'Totals', errors: [error] };
  await storage.transaction(async (tx) => {
    const failure = { at: Date.now(), failureCode: 'UJP-E1020', failureMessage: 'The totals do not add up.', ujp };
    await tx.outbound.move(ALFA, docUidOf(docUid), 10, ['prepare', 'send', 'reject'], failure);
  });
  const { stdout } = await run('outbound', 'show', docUid);
  assert.match(stdout, /^ujp +.*"details":"\{\\"row\\":3\}"/mu);
  const { ujp: served } = (await (await service.call('demo-alfa', `/outbound/${docUid}`)).json()) as {
    readonly ujp: { readonly errors: unknown };
  };
  assert.deepEqual(served.errors, [{ code: 'E1020', message: 'Totals' }], 'clients get what the interface promises');
  assert.match((await refusal('outbound', 'retry', docUid))[1], /is not in status 55/u);
  assert.match(
    (await refusal('outbound', 'retry', docUid, '--rejected'))[1],
    /sent of it is not in the database any more/u,
  );
  await storage.transaction((tx) => {
    const document = { docTypeCode: '380', docNumber: '2026-7010', docDate: '2026-11-16', docId: docUid };
    const payload = { ...document, text: '{}', warnings: [], sentAt: 1, requestTimestamp: '2026-11-16T09:00:00' };
    return tx.deliveries.savePayload(ALFA, docUidOf(docUid), payload);
  });
  assert.deepEqual(await json('outbound', 'retry', docUid, '--rejected'), { docUid, tenant: ALFA, status: 30 });
  const entries = await json<readonly { readonly path: string }[]>('audit', '--document', docUid);
  assert.match(JSON.stringify(entries), new RegExp(`${docUid} rejected`, 'u'));
});

/** What the worker does when it gives a document up. */
async function fail(t: TestContext, docUid: string): Promise<void> {
  const { engine, storage } = await openFoundation(readConfig(variables));
  t.after(() => engine.close());
  const record = { at: Date.now(), ...FAILURE };
  assert.ok(await storage.transaction((tx) => tx.outbound.move(ALFA, docUidOf(docUid), 10, 'give-up', record)));
}

test('inbound files are imported beside a running service', async (t) => {
  const folder = temporaryFolder();
  const other = join(folder, 'прилог.bin');
  await writeFile(other, Buffer.from([0, 1, 2, 255, 254, 10]));
  await json('tenant', 'add', '--edb', ZETA, '--name', 'Zeta');
  const { key } = await json<{ readonly key: string }>('key', 'issue', '--tenant', ZETA, '--software', 'ledger');

  async function count(): Promise<number> {
    return ((await (await service.call(key, '/inbound')).json()) as { readonly totalCount: number }).totalCount;
  }

  await t.test('a file that cannot be read is named, and then none is imported', async () => {
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'empty.xml'), '');
    for (const [bad, message] of [
      [join(folder, 'missing.xml'), 'cannot be read: ENOENT'],
      [join(folder, 'folder'), 'cannot be read: EISDIR'],
      [join(folder, 'empty.xml'), 'is empty'],
    ] as const) {
      const [exitCode, stderr] = await refusal('inbound', 'import', '--tenant', ZETA, UBL, bad, other);
      assert.deepEqual([exitCode, stderr], [1, `${bad} ${message}.\n`]);
    }
    const [exitCode, stderr] = await refusal('inbound', 'import', '--tenant', ZETA);
    assert.equal(exitCode, 2);
    assert.match(stderr, /<file> is missing/u);
    assert.equal(await count(), 0);
  });

  await t.test('UBL, PDF and other files are recognised by their bytes and kept as they are', async () => {
    const files = [UBL, PDF, other];
    const imported = await json<Imported[]>('inbound', 'import', '--tenant', ZETA, ...files);
    assert.deepEqual(
      imported.map(({ file, shape, isNew }) => [file, shape, isNew]),
      [
        [UBL, 'ubl', true],
        [PDF, 'pdf', true],
        [other, 'other', true],
      ],
    );
    assert.equal(await count(), 3);
    for (const { file, docUid, shape } of imported) {
      const bytes = await readFile(file);
      const original = await service.call(key, `/inbound/${docUid}/file`);
      assert.deepEqual(Buffer.from(await original.arrayBuffer()), bytes);
      const formats = ['ubl', 'pdf'].map((format) => service.call(key, `/inbound/${docUid}/file?format=${format}`));
      const statuses = (await Promise.all(formats)).map(({ status }) => status);
      assert.deepEqual(statuses, [shape === 'ubl' ? 200 : 404, shape === 'pdf' ? 200 : 404]);
      const detail = (await (await service.call(key, `/inbound/${docUid}`)).json()) as Detail;
      const { senderEdb, documentNumber, amount } = detail;
      if (shape === 'ubl')
        assert.deepEqual([senderEdb, typeof documentNumber, typeof amount], ['4030026000018', 'string', 'number']);
      else assert.deepEqual([senderEdb, documentNumber, amount], [null, null, null]);
    }
  });

  await t.test('a file that is imported again is no new document', async () => {
    const { stdout, stderr, exitCode } = await run('inbound', 'import', '--tenant', ZETA, PDF, PDF);
    assert.match(stderr, /^importing files: 0 of 2 files, 0 %\n/u);
    assert.equal(exitCode, 0);
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    assert.match(heading ?? '', /^FILE +DOCUMENT +SHAPE +RESULT$/u);
    assert.equal(rows.length, 2);
    for (const row of rows) assert.match(row, /scanned-invoice\.pdf +[0-9a-f-]{36} +pdf +known already$/u);
    assert.equal(await count(), 3);
  });
});

test('what stands in the way of inbound documents is listed, for all taxpayers or for one', async (t) => {
  const { run, json } = commandsHere(variables);
  assert.match((await run('inbound', 'problems', '--tenant', ALFA)).stdout, /^There are none\.$/mu);
  const foundation = await openFoundation(readConfig(variables));
  t.after(() => foundation.engine.close());
  // The service beside it asks for what is due.
  const dueAt = Date.now() + 3_600_000;
  const problem = {
    subject: '019b8d43-7840-7433-b358-08891b53605c',
    cause: 'E1011',
    reason: 'The authority refused it: E1011 no right\nto read it',
    since: Date.UTC(2026, 10, 16, 8),
    failures: 3,
    dueAt,
    seenAt: Date.UTC(2026, 10, 16, 8),
    docUid: null,
  };
  await foundation.storage.transaction((tx) => tx.arrivalProblems.save(ALFA, problem));
  const { stdout } = await run('inbound', 'problems');
  assert.match(
    stdout,
    new RegExp(
      `^4030026000018 +019b8d43-\\S+ +2026-11-16T08:00\\S+ +3 +${formatInstant(dueAt)} +The .+ to read it$`,
      'mu',
    ),
  );
  const [listed, ...others] = await json<readonly Readonly<Record<string, unknown>>[]>(
    ...['inbound', 'problems', '--tenant', ALFA],
  );
  assert.deepEqual(others, []);
  assert.deepEqual([listed?.['tenant'], listed?.['dueAt']], [ALFA, formatInstant(dueAt)]);
  assert.deepEqual(await json('inbound', 'problems', '--tenant', '4080026000023'), []);
});
