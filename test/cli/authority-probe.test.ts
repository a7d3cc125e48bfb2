import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ProbeStep } from '../../src/application/ports/authority-probe.ts';
import { type Change, changeJson, startChangingForwarder } from '../support/changing-forwarder.ts';
import { freePort, temporaryFolder } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';
import { serviceHere } from './service-here.ts';

const ALFA = '4030026000018';

const simulatorPort = await freePort();
const variables = {
  DATA_DIR: temporaryFolder(),
  SIMULATOR_PORT: String(simulatorPort),
  AUTHORITY_PACE_MS: '0',
  DELIVERY_HOLD_SECONDS: '0',
};
await serviceHere({ after }, variables);
const forwarder = await startChangingForwarder(simulatorPort);
after(() => forwarder.close());
const direct = commandsHere(variables);
const changed = commandsHere({ ...variables, SIMULATOR_PORT: String(forwarder.port) });

type Probed = {
  readonly isOk: boolean;
  readonly services: readonly ProbeStep[];
  readonly sent: { readonly status: number; readonly number: string; readonly euid: string | null } | null;
};

async function probed(commands: typeof direct, ...words: string[]) {
  const { exitCode, stdout, stderr } = await commands.run('authority', 'probe', '--tenant', ALFA, '--json', ...words);
  assert.equal(stderr, '', stdout);
  return { exitCode, ...(JSON.parse(stdout) as Probed) };
}

test('a document that the probe sends is accepted, and then every service answers as expected', async () => {
  const first = await probed(direct, '--send', '--yes');
  assert.equal(first.sent?.status, 40);
  assert.match(first.sent.number, /^PROBE-\d{6}[0-9A-F]{8}$/u);
  assert.ok(first.sent.euid !== null);
  // Now there is a document of its own to ask for, sent and received.
  const { exitCode, isOk, services } = await probed(direct);
  assert.deepEqual(
    services.filter(({ outcome, unknownMembers }) => outcome !== 'as-expected' || unknownMembers.length > 0),
    [],
  );
  assert.deepEqual([exitCode, isOk], [0, true]);
});

test('progress goes to standard error, results to standard output', async () => {
  const { exitCode, stdout, stderr } = await direct.run('authority', 'probe', '--tenant', ALFA);
  assert.equal(exitCode, 0, stdout);
  assert.match(stderr, /^1 of 24: server-time as-expected\n(?:.*\n){22}24 of 24: documents\/invoice as-expected\n$/u);
  assert.match(
    stdout,
    /^OK {6}server-time: as-expected\n(?:OK .*\n){23}24 services: 0 deviate, 0 failed, 0 were not tried\.\n$/u,
  );
});

const items = (list: unknown) => list as Record<string, unknown>[];

/** Each is planted alone: the change, and where it must be named. */
const DEVIATIONS: Readonly<Record<string, readonly [change: Change, service: string, path: string, found: RegExp]>> = {
  'a member that is called otherwise': [
    changeJson('companies/4030026000018', ({ company, ...rest }) => ({ ...rest, taxpayer: company })),
    ...(['companies/{edb}', 'company', /^nothing$/u] as const),
  ],
  'another type': [
    changeJson('document-types', ({ documentTypesList, ...rest }) => ({
      ...rest,
      documentTypesList: items(documentTypesList).map((item) => ({ ...item, hasReference: 'false' })),
    })),
    ...(['document-types', 'documentTypesList[0].hasReference', /^the text “false”$/u] as const),
  ],
  'a list in place of an object': [
    changeJson('companies/4030026000018', ({ company, ...rest }) => ({ ...rest, company: [company] })),
    ...(['companies/{edb}', 'company', /^a list of 1$/u] as const),
  ],
  'another form of dates': [
    changeJson('documents/sales-invoice/invoices-status', ({ invoices, ...rest }) => ({
      ...rest,
      invoices: items(invoices).map((row) => ({ ...row, docDate: '15.11.2026' })),
    })),
    ...(['documents/sales-invoice/invoices-status', 'invoices[0].docDate', /^the text “15\.11\.2026”$/u] as const),
  ],
  'a number as text': [
    changeJson('tax-groups', ({ taxGroupList, ...rest }) => ({
      ...rest,
      taxGroupList: items(taxGroupList).map((item) => ({ ...item, percent: `${item['percent']}` })),
    })),
    ...(['tax-groups', 'taxGroupList[0].percent', /^the text “18”$/u] as const),
  ],
  'a missing member': [
    changeJson('tax-indicators', ({ taxIndicators, ...rest }) => ({
      ...rest,
      taxIndicators: items(taxIndicators).map(({ taxGroupCode: _left, ...item }) => item),
    })),
    ...(['tax-indicators', 'taxIndicators[0].taxGroupCode', /^nothing$/u] as const),
  ],
  'an empty list that every document needs': [
    changeJson('document-types', (answer) => ({ ...answer, documentTypesList: [] })),
    ...(['document-types', 'documentTypesList', /^a list of 0$/u] as const),
  ],
  'HTML in place of JSON': [
    (path, answer) =>
      path === 'countries' ? { status: 200, contentType: 'text/html', body: '<html>Down</html>' } : answer,
    ...(['countries', '', /^17 bytes \(text\/html\)$/u] as const),
  ],
  'HTTP 204': [
    (path, answer) => (path === 'currency' ? { ...answer, status: 204, body: '' } : answer),
    ...(['currency', '', /^HTTP 204$/u] as const),
  ],
  'one level more': [
    changeJson('payment-types', (answer) => ({ success: true, data: answer })),
    ...(['payment-types', 'paymentTypeList', /^nothing$/u] as const),
  ],
  'another status code': [
    (path, answer) => (path === 'documents/purchase-invoice/invoices-status' ? { ...answer, status: 202 } : answer),
    ...(['documents/purchase-invoice/invoices-status', '', /^HTTP 202$/u] as const),
  ],
};

for (const [what, [change, service, path, found]] of Object.entries(DEVIATIONS)) {
  test(`the probe names ${what}, and only that`, async () => {
    forwarder.change = change;
    const { exitCode, isOk, services } = await probed(changed);
    assert.deepEqual([exitCode, isOk], [1, false]);
    const deviating = services.filter(({ deviations }) => deviations.length > 0);
    assert.deepEqual(
      deviating.map((step) => step.service),
      [service],
    );
    const named = deviating[0]?.deviations.find((deviation) => deviation.path === path);
    assert.match(named?.found ?? '', found, JSON.stringify(deviating));
    assert.ok((named?.expected ?? '') !== '');
  });
}

test('unknown members are notes, and what acts on a terminal is shown as text', async () => {
  forwarder.change = changeJson('countries', (answer) => ({ ...answer, '\u001b[2Jnew': 1 }));
  const { exitCode, services } = await probed(changed);
  assert.equal(exitCode, 0);
  const [countries] = services.filter(({ unknownMembers }) => unknownMembers.length > 0);
  assert.deepEqual([countries?.service, countries?.outcome], ['countries', 'as-expected']);
  const { stdout } = await changed.run('authority', 'probe', '--tenant', ALFA);
  assert.match(stdout, /^ {2}note: unknown members: .*new$/mu);
  assert.ok(!stdout.includes('\u001b'));
});

test('a service that refuses is named with the reason, and the probe goes on', async () => {
  const refusal = { success: false, errorStatus: { errorCode: 'E1011', errorMessage: 'No privilege RD' } };
  forwarder.change = changeJson('documents/sales-invoice/payload', () => refusal);
  const { exitCode, services } = await probed(changed);
  assert.equal(exitCode, 1);
  const failed = services.filter(({ outcome }) => outcome === 'failed');
  assert.deepEqual(
    failed.map(({ service }) => service),
    ['documents/sales-invoice/payload'],
  );
  assert.match(failed[0]?.detail ?? '', /E1011 No privilege RD/u);
  assert.equal(services.length, 24);
});

test('nothing is sent without a yes', async () => {
  const [exitCode, stderr] = await direct.refusal('authority', 'probe', '--tenant', ALFA, '--send');
  assert.equal(exitCode, 1);
  assert.match(stderr, /^There is no terminal to ask at\. Give --yes/u);
  assert.equal((await direct.refusal('authority', 'probe', '--tenant', ALFA, '--yes'))[0], 2);
  assert.equal((await direct.refusal('authority', 'probe'))[0], 2);
  assert.equal((await direct.refusal('authority', 'probe', '--tenant', '4000000000000'))[0], 3);
});
