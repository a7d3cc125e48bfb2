import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder, until } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';
import { serviceHere } from './service-here.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const ALFA = '4030026000018';
const ROOT = '/api/integration/v1';

type Entry = {
  readonly at: string;
  readonly tenant: string | null;
  readonly keyId: string | null;
  readonly softwareId: string | null;
  readonly method: string;
  readonly path: string;
  readonly docUid: string | null;
  readonly httpStatus: number;
  readonly code: string | null;
  readonly address: string;
  readonly durationMs: number;
  readonly requestId: string;
  readonly operator: string | null;
  readonly calls: number;
};

test('the audit trail is read beside a running service', async (t) => {
  const variables = { DATA_DIR: temporaryFolder() };
  const service = await serviceHere(t, variables);
  const { run, json } = commandsHere(variables);
  const issued = await json<{ readonly key: string; readonly keyId: string }>(
    ...['key', 'issue', '--tenant', ALFA, '--software', 'ledger'],
  );
  const { key, keyId } = issued;
  // What the demo seeds and the commands of this test are entries too.
  const audit = async (...words: string[]) =>
    (await json<Entry[]>('audit', ...words)).filter(({ operator }) => operator === null);

  // A name in another script travels as UTF-8.
  const software = Buffer.from('Сметководство/4.2').toString('latin1');
  const headers = { 'X-Idempotency-Key': 'one', 'X-Software-Id': software };
  const submitted = await service.call(key, '/outbound', { method: 'POST', headers, body: INVOICE });
  const { docUid } = (await submitted.json()) as { readonly docUid: string };
  await nextMillisecond();
  await service.call(key, `/outbound/${docUid}?secret=in-the-query`);
  await nextMillisecond();
  await service.call('demo-beta', `/outbound/${docUid}`);
  await nextMillisecond();
  await service.call(key, `/outbound/${docUid}/cancel`, { method: 'POST' });
  await nextMillisecond();
  const last = await service.call('demo-nobody', '/ping');
  const lastId = last.headers.get('x-request-id');
  const entries = await until('the last call on record', async () => {
    const all = await audit();
    return all.some(({ requestId }) => requestId === lastId) ? all : null;
  });

  await t.test('every call has one entry, newest first, with all that is known of the call', () => {
    assert.deepEqual(
      entries.map((entry) => [entry.method, entry.path, entry.tenant, entry.docUid, entry.httpStatus, entry.code]),
      [
        ['GET', `${ROOT}/ping`, null, null, 401, 'ERR-1001'],
        ['POST', `${ROOT}/outbound/${docUid}/cancel`, ALFA, docUid, 200, null],
        ['GET', `${ROOT}/outbound/${docUid}`, '4080026000023', docUid, 404, 'ERR-3001'],
        ['GET', `${ROOT}/outbound/${docUid}`, ALFA, docUid, 400, null],
        ['POST', `${ROOT}/outbound`, ALFA, docUid, 201, null],
      ],
    );
    const { at, durationMs, requestId, ...submission } = entries.at(-1) ?? assert.fail();
    assert.deepEqual(submission, {
      tenant: ALFA,
      keyId,
      softwareId: 'Сметководство/4.2',
      method: 'POST',
      path: `${ROOT}/outbound`,
      docUid,
      httpStatus: 201,
      code: null,
      address: '127.0.0.1',
      operator: null,
      calls: 1,
    });
    assert.ok(Math.abs(Date.now() - Date.parse(at)) < 600_000);
    assert.ok(durationMs > 0);
    assert.equal(requestId, submitted.headers.get('x-request-id'));
  });

  await t.test('entries are chosen by taxpayer, key, document, time and number', async () => {
    const [from = '', to = ''] = [entries[3]?.at, entries[1]?.at];
    const [tenant, ofKey, document, within, nothing] = await Promise.all([
      audit('--tenant', '4080026000023'),
      audit('--key', keyId, '--limit', '2'),
      audit('--document', docUid, '--tenant', ALFA),
      audit('--since', from, '--until', to),
      audit('--since', '2099-01-01'),
    ]);
    assert.deepEqual(tenant, [entries[2]]);
    assert.deepEqual(ofKey, [entries[1], entries[3]]);
    assert.deepEqual(document, [entries[1], entries[3], entries[4]]);
    assert.deepEqual(within, entries.slice(1, 4));
    assert.deepEqual(nothing, []);
  });

  await t.test('the table says when there are older entries than it shows', async () => {
    const said = async (limit: number) =>
      (await run('audit', '--key', keyId, '--limit', String(limit))).stdout.trimEnd().split('\n').slice(1);
    assert.match((await said(2)).at(-1) ?? '', /^There are older ones: --limit <number> prints more/u);
    assert.equal((await said(2)).filter((line) => line !== '').length, 3);
    const all = (await audit('--key', keyId)).length;
    assert.equal((await said(all)).length, all);
  });

  await t.test('the table and the JSON hold no secret', async () => {
    const { stdout } = await run('audit');
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    assert.match(
      heading ?? '',
      /^AT +TENANT +KEY +SOFTWARE +ADDRESS +METHOD +PATH +DOCUMENT +HTTP +CODE +MS +CALLS +OPERATOR$/u,
    );
    assert.equal(rows.filter((row) => !row.includes(' COMMAND ')).length, entries.length);
    for (const text of [stdout, JSON.stringify(entries)]) {
      for (const secret of [key, 'demo-beta', 'demo-nobody', 'in-the-query', 'cbc:']) assert.ok(!text.includes(secret));
    }
  });
});

type Check = {
  readonly isIntact: boolean;
  readonly break: { readonly kind: string; readonly entry: string | null } | null;
  readonly entries: number;
  readonly waiting: number;
};

test('every command that changes something is on record, in the words in which it was given', async () => {
  const variables = { DATA_DIR: temporaryFolder() };
  const { run, json } = commandsHere(variables);
  await json('init');
  await json('tenant', 'add', '--edb', ALFA, '--name', 'Alfa');
  const { keyId } = await json<{ keyId: string }>('key', 'issue', '--tenant', ALFA, '--software', 'ledger');
  const renewed = await json<{ keyId: string; key: string }>('key', 'renew', keyId);
  await json('key', 'allow', keyId, '192.0.2.1');
  await json('key', 'revoke', keyId);
  await json('tenant', 'set', ALFA, '--name', 'Alfa 2');
  const file = join(temporaryFolder(), 'a.pdf');
  await writeFile(file, '%PDF-1.4');
  const [{ docUid } = assert.fail()] = await json<{ docUid: string }[]>('inbound', 'import', '--tenant', ALFA, file);
  await run('inbound', 'import', '--tenant', ALFA, file);
  await run('tenant', 'list');
  await run('key', 'revoke', renewed.key);
  const entries = await json<Entry[]>('audit', '--tenant', ALFA);
  assert.deepEqual(
    entries.map(({ path }) => path).toSorted(),
    [
      `inbound import ${docUid}`,
      `key allow ${keyId} 192.0.2.1`,
      `key issue ${keyId}`,
      `key renew ${keyId} as ${renewed.keyId}`,
      `key revoke ${keyId}`,
      `tenant add ${ALFA}`,
      `tenant set ${ALFA} name`,
    ].toSorted(),
  );
  assert.ok(entries.every((entry) => entry.operator === userInfo().username && entry.method === 'COMMAND'));
  assert.ok(!JSON.stringify(entries).includes(renewed.key));
});

test('the trail is sealed and verified on the command line; whatever is wrong is named', async () => {
  const dataDir = temporaryFolder();
  const { run, json, refusal } = commandsHere({ DATA_DIR: dataDir });
  await json('init');
  await json('tenant', 'add', '--edb', ALFA, '--name', 'Alfa');
  const unsealed = await json<Check>('audit', 'verify');
  assert.deepEqual([unsealed.isIntact, unsealed.entries, unsealed.waiting], [true, 0, 1]);
  const { stdout: seal } = await run('audit', 'seal');
  assert.match(seal, /^\{"seals":\[\{"chain":"recognised","block":1,.*"hash":"[0-9a-f]{64}"\}\]\}\n$/u);
  await json('tenant', 'set', ALFA, '--name', 'Alfa 2');
  const { stdout: later } = await run('audit', 'seal', '--json');
  const file = join(temporaryFolder(), 'seal.json');
  await writeFile(file, later);
  for (const given of [seal, later, file]) assert.equal((await run('audit', 'verify', '--seal', given)).exitCode, 0);
  const { stdout } = await run('audit', 'verify');
  assert.match(stdout, /^2 entries in 2 blocks are as they were sealed; 0 are not sealed yet\.\n\nCHAIN +LAST BLOCK/u);

  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  const { id } = database.prepare('select id from audit order by block limit 1').get() as { readonly id: string };
  database.prepare("update audit set operator = 'somebody else' where id = ?").run(id);
  const changed = await run('audit', 'verify');
  assert.equal(changed.exitCode, 1);
  assert.match(changed.stdout, new RegExp(`^The audit trail is NOT intact\\. The entry ${id} of .*Z was changed`, 'u'));
  database.exec('delete from audit where block = 2; delete from audit_seal where block = 2');
  database.prepare('update audit set operator = ? where id = ?').run(userInfo().username, id);
  database.close();
  assert.equal((await run('audit', 'verify')).exitCode, 0);
  assert.equal((await run('audit', 'verify', '--seal', seal)).exitCode, 0);
  const cut = await run('audit', 'verify', '--seal', file, '--json');
  assert.deepEqual([cut.exitCode, (JSON.parse(cut.stdout) as Check).break?.kind], [1, 'cut-off']);

  for (const wrong of ['{', '{"seals":[{}]}', '{"seals":1}']) {
    assert.deepEqual((await refusal('audit', 'verify', '--seal', wrong))[0], 2);
  }
  assert.match((await refusal('audit', 'verify', '--seal', '/nowhere/seal'))[1], /cannot be read/u);
});

/** Calls of different milliseconds have an order. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  await until('the next millisecond', () => Date.now() > now);
}
