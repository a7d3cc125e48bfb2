import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { AuditEntry } from '../../src/application/ports/storage/audit-store.ts';
import { type RunningService, startService, temporaryFolder, until } from '../support/process.ts';
import { operatorBeside } from './operator-beside.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const ALFA = readEdb('4030026000018');
/** Once: processes are killed at other moments by the tests of replicas, of the change feed and of deliveries in the same run. */
const ROUNDS = process.env['TEST_LONG'] === '1' ? 5 : 1;
const CLIENTS = 24;
/** The process is killed when so many answers have come in a round; more are under way. */
const ANSWERS_A_ROUND = 60;
const LARGEST_PAGE = 500;

type Sent = { readonly idempotencyKey: string; readonly xml: string; docUid: string | null };
type Submitted = { readonly docUid: string; readonly alreadyExisted: boolean };
type Item = { readonly docUid: string; readonly documentNumber: string };
type Page = { readonly totalCount: number; readonly items: readonly Item[] };

test('a process killed in a storm of submissions loses none that was answered and doubles none', async (t) => {
  // Nothing but the storm touches the documents: what a worker does when it is killed the tests of replicas show.
  const variables = { DATA_DIR: temporaryFolder(), ROLE: 'api' };
  let service = await startService(t, variables);
  const { keys } = await operatorBeside(t, variables);
  const { secret: key } = await keys.issue({ tenant: ALFA, software: 'storm', callsPerMinute: 9_999_999 });
  const { items: seeded } = await list(service, key, 1);
  const sent: Sent[] = [];

  for (let round = 0; round < ROUNDS; round += 1) {
    sent.push(...(await stormUntilKilled(service, key, round)));
    service = await startService(t, variables);
  }
  const answered = sent.filter(({ docUid }) => docUid !== null);
  t.diagnostic(`${answered.length} of ${sent.length} submissions were answered before the process was killed`);
  assert.ok(answered.length >= ROUNDS * ANSWERS_A_ROUND && answered.length < sent.length);

  await t.test('every answered one is there, byte for byte, with its history and its audit entry', async (t) => {
    const entries = await auditEntries(t, variables);
    await inParallel(answered, async ({ docUid, xml }) => {
      const file = await service.call(key, `/outbound/${docUid}/file`);
      assert.equal(await file.text(), xml);
      const history = await (await service.call(key, `/outbound/${docUid}/history`)).json();
      assert.deepEqual(
        (history as { transitions: { status: number }[] }).transitions.map(({ status }) => status),
        [10],
      );
      const [entry, ...more] = entries.get(docUid) ?? [];
      assert.equal(more.length, 0);
      assert.deepEqual([entry?.method, entry?.httpStatus, entry?.tenant], ['POST', 201, '4030026000018']);
    });
  });

  await t.test('repeats get the document of the first call, and those that got no answer are taken once', async () => {
    await inParallel(sent, async (submission) => {
      const { status, body } = await submit(service, key, submission);
      if (submission.docUid !== null) assert.equal(body.docUid, submission.docUid);
      if (submission.docUid !== null) assert.ok(body.alreadyExisted);
      assert.equal(status, body.alreadyExisted ? 200 : 201);
      submission.docUid = body.docUid;
    });
  });

  await t.test('the list holds each of them once and counts right', async () => {
    const pages = [await list(service, key, 1)];
    const totalCount = pages[0]?.totalCount ?? 0;
    for (let page = 2; (page - 1) * LARGEST_PAGE < totalCount; page += 1) pages.push(await list(service, key, page));
    const items = pages.flatMap((page) => page.items);
    const expected = [...seeded.map(({ docUid }) => docUid), ...sent.map(({ docUid }) => docUid)];
    assert.deepEqual(items.map(({ docUid }) => docUid).toSorted(), expected.toSorted());
    assert.equal(totalCount, expected.length);
    assert.equal(new Set(items.map(({ documentNumber }) => documentNumber)).size, expected.length);
    await service.stop();
  });
});

/** Clients that submit one document after the other until the service is gone. */
async function stormUntilKilled(service: RunningService, key: string, round: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  let answers = 0;
  async function client(): Promise<void> {
    for (;;) {
      const number = `${round}-${sent.length}`;
      const submission: Sent = {
        idempotencyKey: number,
        xml: INVOICE.replace('7001', `storm-${number}`),
        docUid: null,
      };
      sent.push(submission);
      const answer = await submit(service, key, submission).catch(() => null);
      if (answer === null) return;
      assert.equal(answer.status, 201);
      submission.docUid = answer.body.docUid;
      answers += 1;
    }
  }
  const clients = Array.from({ length: CLIENTS }, client);
  await until('a storm', () => answers >= ANSWERS_A_ROUND);
  service.signal('SIGKILL');
  await Promise.all(clients);
  assert.equal((await service.finished()).signal, 'SIGKILL');
  return sent;
}

async function submit(service: RunningService, key: string, { idempotencyKey, xml }: Sent) {
  const headers = { 'X-Idempotency-Key': idempotencyKey };
  const response = await service.call(key, '/outbound', { method: 'POST', headers, body: xml });
  return { status: response.status, body: (await response.json()) as Submitted };
}

async function list(service: RunningService, key: string, page: number): Promise<Page> {
  const response = await service.call(key, `/outbound?pageSize=${LARGEST_PAGE}&page=${page}`);
  return (await response.json()) as Page;
}

async function auditEntries(t: TestContext, variables: Record<string, string>) {
  const operator = await operatorBeside(t, variables);
  const everything = { tenant: null, keyId: null, docUid: null, since: null, until: null, limit: 1_000_000 };
  const entries = await operator.readAudit(everything);
  const submissions = entries.filter(({ method, docUid }) => method === 'POST' && docUid !== null);
  return Map.groupBy<string | null, AuditEntry>(submissions, ({ docUid }) => docUid);
}

async function inParallel<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (const item of waiting) await act(item);
    }),
  );
}
