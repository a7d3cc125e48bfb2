import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { type AuthorityConnection, openAuthority } from '../../src/app/authority.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { type Foundation, openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { listedTaxNumber } from '../../src/domain/accounts/tax-number.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { startProgram } from '../support/process.ts';
import { runningClock } from '../support/test-clock.ts';
import { ALFA, registrations, startAuthority } from './authority-of-test.ts';
import { assertGapFree } from './gap-free.ts';
import { deliverWhatIsDue, isAnythingDue } from './worker-of-test.ts';

const WORKER = fileURLToPath(new URL('./killed-worker.ts', import.meta.url));
const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const TENANT = readEdb(ALFA);
const DOCUMENTS = 6;
/** After a death, workers come until nothing is left: one for what was abandoned, one for what had to be tried again. */
const SUCCESSORS = 3;
const HOUR_MS = 3_600_000;
const EVER = Number.MAX_SAFE_INTEGER;

const STEPS = [
  'before-claim',
  'after-claim',
  'after-begin',
  'before-send',
  'after-send',
  'before-settle',
  'after-settle',
];

describe('a worker killed at any step of an attempt', () => {
  let authority: Awaited<ReturnType<typeof startAuthority>>;
  let variables: Readonly<Record<string, string>>;
  let foundation: Foundation;
  let side: AuthorityConnection;
  const reader = openReader(systemTimers, 1);
  // Whoever comes after a death comes when every lease and pause is over.
  const clock = runningClock();

  before(async () => {
    authority = await startAuthority({ now: () => new Date(clock.now()) });
    variables = { ...authority.variables, ...(await freshDatabase()) };
    foundation = await openFoundation(readConfig(variables), { clock });
    side = openAuthority(foundation);
    const operator = createOperator(foundation, reader);
    const settings = { edb: TENANT, name: 'Alfa', environment: 'production', outboundEnabled: true } as const;
    await operator.tenants.add({ ...settings, eujpId: 'demo-alfa' });
    await operator.credentials.set(TENANT, authority.pems.certificatePem, authority.pems.privateKeyPem);
  });
  after(async () => {
    await side.close();
    await reader.close();
    await foundation.engine.close();
    await authority.simulator.close();
  });

  for (const step of STEPS) {
    test(`${step}: every document is registered exactly once, none is lost, histories are gap-free`, async (t) => {
      const numbers = await submit(step);
      const { signal, stderr } = await runWorker(t, step, '2');
      assert.deepEqual({ signal, stderr }, { signal: 'SIGKILL', stderr: '' });
      assert.ok(await isAnythingDue(foundation.storage, EVER), 'something is left to do');
      for (let times = 1; times <= SUCCESSORS && (await isAnythingDue(foundation.storage, EVER)); times += 1) {
        clock.advance(HOUR_MS);
        await deliverWhatIsDue({ foundation, authority: side.authority, reader });
      }
      await assertDelivered(numbers);
      const registered = await registrations(authority.simulator);
      for (const number of numbers) assert.equal(registered.get(number)?.length, 1, number);
    });
  }

  function runWorker(t: TestContext, ...args: readonly string[]) {
    const flags = ['--disable-warning=ExperimentalWarning', WORKER, ...args];
    return startProgram(t, process.execPath, flags, variables).finished();
  }

  /** Documents in status 10, due at once. */
  async function submit(step: string): Promise<readonly string[]> {
    const numbers = Array.from({ length: DOCUMENTS }, (_, index) => `${step}-${index}`);
    for (const number of numbers) {
      const reading = await reader.read(TENANT, new Uint8Array(Buffer.from(INVOICE.replace('2026-7001', number))));
      if (reading.outcome === 'refused') throw new Error(reading.detail);
      const { facts, file: ubl, pdf } = reading;
      const document = { facts, partnerEdb: listedTaxNumber(facts.recipient), ubl, pdf, software: 'test', holdMs: 0 };
      await foundation.storage.transaction((tx) => tx.outbound.add(TENANT, document, Date.now()));
    }
    return numbers;
  }

  async function assertDelivered(numbers: readonly string[]): Promise<void> {
    const { outbound } = foundation.storage;
    const all = { created: { from: null, to: null }, statuses: null, partnerEdb: null };
    const { items } = await outbound.list(TENANT, all, { page: 1, pageSize: 100 });
    const own = items.filter(({ documentNumber }) => numbers.includes(documentNumber ?? ''));
    assert.deepEqual(own.map(({ documentNumber }) => documentNumber).toSorted(), numbers.toSorted());
    for (const { docUid, documentNumber, status } of own) {
      assert.equal(status, 40, documentNumber ?? '');
      assertGapFree(await outbound.history(TENANT, docUid));
      const file = await outbound.file(TENANT, docUid, 'ujp');
      assert.equal(new TextDecoder().decode(file?.bytes.subarray(0, 2)), 'PK');
    }
  }
});
