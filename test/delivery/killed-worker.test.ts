import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Simulator } from '../../simulator/simulator.ts';
import { openReaderOnDemand } from '../../src/app/document-reader.ts';
import { type Foundation, openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { listedTaxNumber } from '../../src/domain/accounts/tax-number.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { startProgram } from '../support/process.ts';
import { ALFA, type Pems, registrations, startAuthority } from './authority-of-test.ts';
import { assertGapFree } from './gap-free.ts';

const WORKER = fileURLToPath(new URL('./killed-worker.ts', import.meta.url));
const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const TENANT = readEdb(ALFA);
const DOCUMENTS = 6;
/** After a death, workers come until nothing is left: one for what was abandoned, one for what had to be tried again. */
const SUCCESSORS = 3;

const STEPS = [
  'before-claim',
  'after-claim',
  'after-begin',
  'before-send',
  'after-send',
  'before-settle',
  'after-settle',
];

type Variables = Readonly<Record<string, string>>;

describe('a worker killed at any step of an attempt', () => {
  let simulator: Simulator;
  let variables: Variables;
  let pems: Pems;
  before(async () => {
    ({ simulator, variables, pems } = await startAuthority());
  });
  after(() => simulator.close());

  for (const step of STEPS) {
    test(`${step}: every document is registered exactly once, none is lost, histories are gap-free`, async (t) => {
      const own = { ...variables, ...(await freshDatabase()) };
      const numbers = await submit(own, pems, step);
      const { signal } = await runWorker(t, own, step, '2', '0');
      assert.equal(signal, 'SIGKILL');
      for (let hours = 1; hours <= SUCCESSORS && !(await isAllDone(own)); hours += 1) {
        const { exitCode, stderr } = await runWorker(t, own, '', '0', String(hours));
        assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
      }
      await assertDelivered(own, numbers);
      const registered = await registrations(simulator);
      for (const number of numbers) assert.equal(registered.get(number)?.length, 1, number);
    });
  }
});

function runWorker(t: TestContext, variables: Variables, ...args: readonly string[]) {
  const flags = ['--disable-warning=ExperimentalWarning', WORKER, ...args];
  return startProgram(t, process.execPath, flags, variables).finished();
}

/** Documents in status 10, due at once. */
async function submit(variables: Variables, pems: Pems, step: string): Promise<readonly string[]> {
  return opened(variables, async (foundation) => {
    const reader = openReaderOnDemand();
    const operator = createOperator(foundation, reader);
    const settings = { edb: TENANT, name: 'Alfa', environment: 'production', outboundEnabled: true } as const;
    await operator.tenants.add({ ...settings, eujpId: 'demo-alfa' });
    await operator.credentials.set(TENANT, pems.certificatePem, pems.privateKeyPem);
    const numbers = Array.from({ length: DOCUMENTS }, (_, index) => `${step}-${index}`);
    for (const number of numbers) {
      const reading = await reader.read(new Uint8Array(Buffer.from(INVOICE.replace('2026-7001', number))));
      if (reading.outcome === 'refused') throw new Error(reading.detail);
      const { facts, file: ubl, pdf } = reading;
      const document = { facts, partnerEdb: listedTaxNumber(facts.recipient), ubl, pdf, software: 'test', holdMs: 0 };
      await foundation.storage.transaction((tx) => tx.outbound.add(TENANT, document, Date.now()));
    }
    await reader.close();
    return numbers;
  });
}

function isAllDone(variables: Variables): Promise<boolean> {
  return opened(variables, async ({ storage }) => {
    const stages = ['delivery', 'final'] as const;
    const ever = Number.MAX_SAFE_INTEGER;
    const due = await Promise.all(stages.map((stage) => storage.deliveries.tenantsDue(stage, '', ever, 1)));
    return due.every(({ tenants }) => tenants.length === 0);
  });
}

async function assertDelivered(variables: Variables, numbers: readonly string[]): Promise<void> {
  await opened(variables, async ({ storage }) => {
    const all = { created: { from: null, to: null }, statuses: null, partnerEdb: null };
    const { items } = await storage.outbound.list(TENANT, all, { page: 1, pageSize: 100 });
    assert.deepEqual(items.map(({ documentNumber }) => documentNumber).sort(), [...numbers].sort());
    for (const { docUid, documentNumber, status } of items) {
      assert.equal(status, 40, documentNumber ?? '');
      assertGapFree(await storage.outbound.history(TENANT, docUid));
      const file = await storage.outbound.file(TENANT, docUid, 'ujp');
      assert.equal(new TextDecoder().decode(file?.bytes.subarray(0, 2)), 'PK');
    }
  });
}

async function opened<Result>(
  variables: Variables,
  work: (foundation: Foundation) => Promise<Result>,
): Promise<Result> {
  const foundation = await openFoundation(readConfig(variables));
  try {
    return await work(foundation);
  } finally {
    await foundation.engine.close();
  }
}
