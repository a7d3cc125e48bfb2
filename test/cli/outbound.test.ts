import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { openAppContext } from '../../src/app/app-context.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { formatInstant } from '../../src/domain/values/instant.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { startService, temporaryFolder, type Variables } from '../support/process.ts';
import { commandLine } from './command-line.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const ALFA = readEdb('4030026000018');
const FAILURE = { failureCode: 'AUTHORITY-UNREACHABLE', failureMessage: 'The authority could not be reached.' };

type Change = { readonly at: string; readonly status: number; readonly failureCode: string | null };
type Shown = Readonly<Record<string, unknown>> & { readonly history: readonly Change[] };

test('outbound documents beside a running service', async (t) => {
  const variables = { DATA_DIR: temporaryFolder(), DELIVERY_HOLD_SECONDS: '86400' };
  const service = await startService(t, variables);
  const { run, json, refusal } = commandLine(t, variables);
  const headers = { 'X-Idempotency-Key': 'one' };
  const submitted = await service.call('demo-alfa', '/outbound', { method: 'POST', headers, body: INVOICE });
  const { docUid, receivedAt } = (await submitted.json()) as { readonly docUid: string; readonly receivedAt: string };

  await t.test('show prints the facts and the history', async () => {
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
      attempts: [],
      warnings: [],
    });
    assert.match(String(facts['documentNumber']), /7001/u);
    assert.deepEqual(history, [{ status: 10, at: receivedAt, failureCode: null }]);
    assert.match(stdout, /^FACT +VALUE\n/u);
    assert.match(stdout, new RegExp(`^docUid +${docUid}$`, 'mu'));
    assert.match(stdout, new RegExp(`\\n\\nAT +STATUS +FAILURE\\n${receivedAt} +10 +-\\n$`, 'u'));
  });

  await t.test('only a failed document is retried', async () => {
    const [exitCode, stderr] = await refusal('outbound', 'retry', docUid);
    assert.equal(exitCode, 1);
    assert.match(stderr, new RegExp(`${docUid} is not in status 55; only a failed one is retried`, 'u'));
  });

  await t.test('a failed one goes back into the queue, once', async (t) => {
    await fail(t, variables, docUid);
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

  await service.stop();
});

/** What the worker does when it gives a document up. */
async function fail(t: TestContext, variables: Variables, docUid: string): Promise<void> {
  const { engine, storage } = await openAppContext(readConfig(variables));
  t.after(() => engine.close());
  const record = { at: Date.now(), ...FAILURE };
  assert.ok(await storage.transaction((tx) => tx.outbound.move(ALFA, docUidOf(docUid), 10, 'give-up', record)));
}
