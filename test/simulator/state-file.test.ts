import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startSimulator } from '../../simulator/simulator.ts';
import { temporaryFolder } from '../support/process.ts';
import { type Authority, alfa, beta, connect, DAY, startAuthority, testClock } from './authority-client.ts';
import { type Json, sampleDocument } from './sample-document.ts';

const NOVEMBER = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

function stateFile(): string {
  return join(temporaryFolder(), 'authority', 'state.jsonl');
}

/** A simulator started on the state file alone, without certificates from the test. */
async function restarted(t: TestContext, file: string, laterMs = 0): Promise<Authority> {
  const clock = testClock();
  clock.advance(laterMs);
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, now: clock.now, stateFile: file });
  t.after(simulator.close);
  return connect(simulator, clock);
}

test('a restart changes no answer', async (t) => {
  const file = stateFile();
  const first = await startAuthority(t, { stateFile: file });
  await first.admin('companies', { taxNumber: '4999999999991', name: 'НОВА ДОО Скопје', users: ['nova'] });
  await first.admin('users', { eujpId: 'demo-beta', edb: beta.edb, privileges: ['SIGN', 'RD'] });
  const euids = [await first.registered({ docId: 'kept' }), await first.registered(), await first.registered()];
  const [accepted, rejected] = euids;
  await first.ask('purchase-invoice/accept-reject', { euid: accepted, isAccepted: true }, beta);
  const rejection = { euid: rejected, isAccepted: false, rejectReasonCode: 'О-7', comment: 'друго' };
  await first.ask('purchase-invoice/accept-reject', rejection, beta);
  const look = async ({ ask, listed }: Authority) => ({
    listed: await listed(),
    statuses: await ask('sales-invoice/invoices-status', NOVEMBER),
    payloads: await ask('purchase-invoice/payload/list', { euids }, beta),
    changes: await ask('sales-invoice/changes', { date: '2026-11-15' }),
    history: await ask('sales-invoice/status', { euid: rejected }),
    pdf: await ask('sales-invoice/pdf', { euid: accepted }),
    forbidden: await ask('purchase-invoice/pdf', { euid: accepted }, beta),
  });
  const before = await look(first);
  await first.simulator.close();

  const second = await restarted(t, file);
  assert.deepEqual(await look(second), before);
  assert.equal(await second.refused(sampleDocument({ docId: 'kept' })), 'E1023');
  const headers = { 'X-EUJP-ID': 'nova', 'X-EDB': '4999999999991' };
  const response = await fetch(`${second.simulator.url}/api/v1/companies/4999999999991`, { headers });
  assert.equal(((await response.json()) as { company: Json }).company['name'], 'НОВА ДОО Скопје');
});

test('decisions that were due while the program was down are made, dated when they were due', async (t) => {
  const file = stateFile();
  const first = await startAuthority(t, { stateFile: file });
  const euid = await first.registered();
  const decided = await first.registered({ docNumber: 'SIM-BUYER-YES-01' });
  await first.simulator.close();
  const second = await restarted(t, file, 8 * DAY);
  const rows = (await second.ask('sales-invoice/invoices-status', NOVEMBER))['invoices'] as readonly Json[];
  assert.deepEqual(
    rows.map((row) => [row['euid'], row['statusCode']]),
    [
      [euid, '04'],
      [decided, '03'],
    ],
  );
  const { statusHistory } = await second.ask('sales-invoice/changes', { date: '2026-11-20' });
  assert.equal((statusHistory as readonly Json[]).length, 1);
});

test('an incomplete last line is dropped, and the next line is written correctly', async (t) => {
  const file = stateFile();
  const first = await startAuthority(t, { stateFile: file });
  await first.registered({ docNumber: 'whole' });
  await first.simulator.close();
  appendFileSync(file, '{"kind":"document","document":{"euid":"019');
  const second = await restarted(t, file);
  await second.registered({ docNumber: 'next' });
  await second.simulator.close();
  const third = await restarted(t, file);
  assert.deepEqual(
    (await third.listed()).map(({ docNumber }) => docNumber),
    ['whole', 'next'],
  );
});

test('a file that is not a state file is refused and not changed', async () => {
  for (const content of ['{"something":"else"}\n', 'no line at all']) {
    const file = join(temporaryFolder(), 'other.json');
    writeFileSync(file, content);
    await assert.rejects(startSimulator({ host: '127.0.0.1', port: 0, stateFile: file }), /is not a state file/u);
    assert.equal(readFileSync(file, 'utf8'), content);
  }
});

test('the error about an unreadable line names its number', async (t) => {
  const file = stateFile();
  const { simulator } = await startAuthority(t, { stateFile: file });
  await simulator.close();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length;
  appendFileSync(file, 'gibberish\n');
  await assert.rejects(
    startSimulator({ host: '127.0.0.1', port: 0, stateFile: file }),
    new RegExp(`line ${lines + 1}`, 'u'),
  );
});

test('only the owner can read the file, and it holds no private key', async (t) => {
  const file = stateFile();
  const { simulator, registered } = await startAuthority(t, { stateFile: file });
  await registered();
  await simulator.close();
  assert.equal(statSync(file).mode & 0o077, 0);
  const content = readFileSync(file, 'utf8');
  assert.ok(!content.includes('PRIVATE KEY'));
  assert.ok(content.includes(alfa.eujpId));
});

test('without a state file nothing is kept over a restart', async (t) => {
  const first = await startAuthority(t);
  await first.registered();
  await first.simulator.close();
  assert.equal((await (await startAuthority(t)).listed()).length, 0);
});
