import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { StoredPayload } from '../../src/application/ports/storage/delivery-store.ts';
import type { AuthorityAnswer } from '../../src/domain/documents/outbound-document.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { fileOf } from '../engines/samples.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { json } from './support/client.ts';
import { AUTHORITY_ANSWER, HISTORY, OUTBOUND_DOCUMENT, readFields, TRANSITION } from './support/fields.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';
import { type Step, walk } from './support/walk.ts';

const clock = clockAt('2026-11-02T08:00:00Z');
const service = await startTestService({ clock });
after(() => service.stop());

const EUID = '01a1b2c3-d4e5-7f60-8123-456789abcdef';
const ACCEPTED: AuthorityAnswer = {
  accepted: true,
  euid: EUID,
  qrLink: `https://authority.example/euid/${EUID}`,
  registeredAt: '2026-11-02T08:00:05.000Z',
  statusCode: '01',
  statusName: 'Испратена (Нова)',
  message: null,
  errors: [],
};
const REJECTED: AuthorityAnswer = {
  accepted: false,
  euid: null,
  qrLink: null,
  registeredAt: null,
  statusCode: null,
  statusName: null,
  message: 'Одбиена',
  errors: [{ code: 'E1020', message: 'Непознат купувач' }],
};

const PAYLOAD: StoredPayload = {
  docTypeCode: '100',
  docNumber: 'N-7',
  docDate: '2026-11-02',
  docId: 'ABCDEFGHJKMNPQRSTVWX',
  text: '{"document":{}}',
  warnings: [{ code: 'LINE-LEFT-OUT', text: 'The line was left out.', path: '/Invoice/cac:InvoiceLine[2]' }],
  requestTimestamp: '2026-11-02T09:00:00',
  sentAt: 1,
};
const CONTAINER = fileOf('PK container');

const UNREACHABLE = { failureCode: 'AUTHORITY-UNREACHABLE', failureMessage: 'The authority does not answer.' };

async function detailOf({ get }: TestTenant, docUid: string) {
  const answer = await get(`/outbound/${docUid}`);
  assert.equal(answer.status, 200, answer.text);
  return readFields(OUTBOUND_DOCUMENT, json(answer));
}

async function historyOf({ get }: TestTenant, docUid: string) {
  const answer = await get(`/outbound/${docUid}/history`);
  assert.equal(answer.status, 200, answer.text);
  const history = readFields(HISTORY, json(answer));
  assert.equal(history.docUid, docUid);
  return history.transitions.map((entry) => readFields(TRANSITION, entry));
}

/** A document that took these steps, each a second after the one before. */
async function walked(tenant: TestTenant, steps: readonly Step[]): Promise<string> {
  const docUid = await tenant.submitted(sampleInvoice({ number: 'N-7', amount: '99.90' }));
  let status: OutboundStatus = 10;
  for (const step of steps) {
    clock.advance(1_000);
    status = await walk(service, tenant.edb, docUid, [step], status);
  }
  return docUid;
}

suite('GET /outbound/{docUid}', () => {
  test('a new document: everything that is not known yet is there and null', async () => {
    const tenant = await newTenant(service);
    const docUid = await walked(tenant, []);
    const known = { docUid, status: 10, createdAt: new Date(clock.now()).toISOString() };
    const read = { partnerEdb: '4080026000023', documentNumber: 'N-7', amount: 99.9, currency: 'MKD' };
    const unknown = { failureCode: null, failureMessage: null, ujp: null };
    assert.deepEqual(await detailOf(tenant, docUid), { ...known, ...read, ...unknown });
  });

  test("an accepted document carries the authority's answer and no failure", async () => {
    const tenant = await newTenant(service);
    const steps: Step[] = [['prepare'], ['send'], ['try-again', UNREACHABLE], ['send'], ['accept', { ujp: ACCEPTED }]];
    const { status, failureCode, failureMessage, ujp } = await detailOf(tenant, await walked(tenant, steps));
    assert.deepEqual([status, failureCode, failureMessage], [40, null, null]);
    assert.deepEqual(readFields(AUTHORITY_ANSWER, ujp), { ...ACCEPTED, warnings: [] });
  });

  test("a rejected document carries the authority's reasons in ujp and in failureCode", async () => {
    const tenant = await newTenant(service);
    const refusal = { failureCode: 'UJP-E1020', failureMessage: 'Непознат купувач', ujp: REJECTED };
    const docUid = await walked(tenant, [['prepare'], ['send'], ['reject', refusal]]);
    const { status, failureCode, failureMessage, ujp } = await detailOf(tenant, docUid);
    assert.deepEqual([status, failureCode, failureMessage], [50, 'UJP-E1020', 'Непознат купувач']);
    assert.deepEqual(readFields(AUTHORITY_ANSWER, ujp), { ...REJECTED, warnings: [] });
  });

  test('what was left out or assumed is in ujp once the authority has answered, also after its file arrived', async () => {
    const tenant = await newTenant(service);
    const refusal = { failureCode: 'UJP-E1020', failureMessage: 'Непознат купувач', ujp: REJECTED };
    const { storage } = service.foundation;
    for (const end of [['accept', { ujp: ACCEPTED }] as const, ['reject', refusal] as const]) {
      const docUid = docUidOf(await walked(tenant, [['prepare'], ['send']]));
      await storage.transaction((tx) => tx.deliveries.savePayload(tenant.edb, docUid, PAYLOAD));
      assert.equal((await detailOf(tenant, docUid)).ujp, null, 'no answer yet, as the contract says');
      await walk(service, tenant.edb, docUid, [end], 30);
      const warnings = async () => readFields(AUTHORITY_ANSWER, (await detailOf(tenant, docUid)).ujp).warnings;
      assert.deepEqual(await warnings(), PAYLOAD.warnings);
      await storage.transaction((tx) => tx.deliveries.storeContainer(tenant.edb, docUid, CONTAINER, Date.now()));
      assert.deepEqual(await warnings(), PAYLOAD.warnings);
    }
  });

  test('a failed attempt shows its failure while the document waits for the next', async () => {
    const tenant = await newTenant(service);
    const docUid = await walked(tenant, [['prepare'], ['send'], ['try-again', UNREACHABLE]]);
    const { status, failureCode, failureMessage, ujp } = await detailOf(tenant, docUid);
    const { failureCode: code, failureMessage: message } = UNREACHABLE;
    assert.deepEqual([status, failureCode, failureMessage, ujp], [20, code, message, null]);
  });

  test('a cancelled document stays retrievable', async () => {
    const tenant = await newTenant(service);
    const docUid = await walked(tenant, []);
    await tenant.post(`/outbound/${docUid}/cancel`);
    const { status, documentNumber } = await detailOf(tenant, docUid);
    assert.deepEqual([status, documentNumber], [60, 'N-7']);
  });

  test('amounts are numbers, as large and as small as documents state them', async () => {
    const tenant = await newTenant(service);
    for (const [amount, expected] of Object.entries({ '0': 0, '-0.01': -0.01, '12345678901.99': 12_345_678_901.99 })) {
      const docUid = await tenant.submitted(sampleInvoice({ amount }));
      assert.equal((await detailOf(tenant, docUid)).amount, expected);
    }
  });
});

suite('GET /outbound/{docUid}/history', () => {
  test('a new document has the one row of its reception', async () => {
    const tenant = await newTenant(service);
    const docUid = await walked(tenant, []);
    const at = new Date(clock.now()).toISOString();
    assert.deepEqual(await historyOf(tenant, docUid), [{ status: 10, at, failureCode: null }]);
  });

  test('rows are chronological and hold failed attempts with their failureCode', async () => {
    const tenant = await newTenant(service);
    clock.set('2026-11-03T08:00:00Z');
    const docUid = await walked(tenant, [
      ['prepare'],
      ['send'],
      ['try-again', UNREACHABLE],
      ['send'],
      ['try-again', { failureCode: 'AUTHORITY-TIMEOUT', failureMessage: 'Too slow.' }],
      ['give-up', { failureCode: 'CREDENTIALS', failureMessage: 'Wrong.' }],
      ['requeue'],
      ['send'],
      ['accept', { ujp: ACCEPTED }],
    ]);
    const row = (second: number, status: number, failureCode: string | null = null) => ({
      status,
      at: `2026-11-03T08:00:0${second}.000Z`,
      failureCode,
    });
    assert.deepEqual(await historyOf(tenant, docUid), [
      row(0, 10),
      row(1, 20),
      row(2, 30),
      row(3, 20, 'AUTHORITY-UNREACHABLE'),
      row(4, 30),
      row(5, 20, 'AUTHORITY-TIMEOUT'),
      row(6, 55, 'CREDENTIALS'),
      row(7, 20),
      row(8, 30),
      row(9, 40),
    ]);
  });

  test('rows of the same millisecond keep the order in which they happened', async () => {
    const tenant = await newTenant(service);
    const docUid = await tenant.submitted();
    await walk(service, tenant.edb, docUid, [['prepare'], ['send'], ['try-again', UNREACHABLE], ['send']]);
    assert.deepEqual(
      (await historyOf(tenant, docUid)).map(({ status }) => status),
      [10, 20, 30, 20, 30],
    );
  });

  test('the cancellation is recorded', async () => {
    const tenant = await newTenant(service);
    const docUid = await walked(tenant, [['prepare']]);
    clock.advance(5_000);
    await tenant.post(`/outbound/${docUid}/cancel`);
    const last = (await historyOf(tenant, docUid)).at(-1);
    assert.deepEqual(last, { status: 60, at: new Date(clock.now()).toISOString(), failureCode: null });
  });
});
