import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';

const CALLER = { 'X-EUJP-ID': 'user-1', 'X-EDB': '4030026000018' };
const NOW = new Date('2026-07-14T21:45:51.700Z');
const NOW_IN_SKOPJE = '2026-07-14T23:45:51';

const validity = ['isActive', 'validDateFrom', 'validDateTo'];

const SERVICES: Readonly<Record<string, { readonly list: string; readonly members: readonly string[] }>> = {
  currency: { list: 'currencyList', members: ['code', 'name', 'description'] },
  countries: { list: 'countryList', members: ['code', 'name', 'tin'] },
  'void-reasons': { list: 'voidReasonList', members: ['code', 'voidReason', ...validity, 'updated_on'] },
  'correction-reason': {
    list: 'correctionReasonList',
    members: ['code', 'correctionReason', ...validity, 'updatedOn'],
  },
  'reject-reason': { list: 'rejectReasonList', members: ['code', 'rejectReason', ...validity, 'updatedOn'] },
  'payment-types': { list: 'paymentTypeList', members: ['code', 'description', ...validity, 'updated_on'] },
  'document-statuses': { list: 'statusList', members: ['code', 'name', 'description', 'updated_on'] },
  'document-types': {
    list: 'documentTypesList',
    members: [
      ...['code', 'name', 'type', 'needSignature', 'hasItems', 'hasReference', 'isReferenceMandatory'],
      ...[...validity, 'description', 'updatedOn'],
    ],
  },
  'ref-document-types': {
    list: 'refDocumentTypes',
    members: [
      ...['code', 'name', 'type', ...validity],
      ...['refDocNumberDescription', 'dateDescription', 'description', 'updated_on'],
    ],
  },
  'purchase-tax-indicators': {
    list: 'purchaseTaxIndicators',
    members: ['code', 'name', 'description', 'vatImpact', ...validity, 'updated_on'],
  },
  'tax-groups': { list: 'taxGroupList', members: ['code', 'name', 'percent', 'description', ...validity] },
  'tax-indicators': {
    list: 'taxIndicators',
    members: [
      ...['code', 'categoryCode', 'categoryName', 'categoryDesc', 'note', 'vatImpact'],
      ...[...validity, 'updated_on', 'taxGroupCode'],
    ],
  },
};

suite('query API', () => {
  let simulator: Simulator;

  before(async () => {
    simulator = await startSimulator({ host: '127.0.0.1', port: 0, now: () => NOW });
  });
  after(() => simulator.close());

  const call = (path: string, init: RequestInit = { headers: CALLER }) => fetch(`${simulator.url}${path}`, init);
  const errorCode = async (path: string, init?: RequestInit) => {
    const response = await call(path, init);
    const { success, createdDate, errorStatus } = (await response.json()) as Record<string, Record<string, unknown>>;
    assert.deepEqual([response.status, success, createdDate], [200, false, NOW_IN_SKOPJE]);
    assert.deepEqual(Object.keys(errorStatus ?? {}), ['errorCode', 'errorMessage', 'errorPropertyMap']);
    return errorStatus?.['errorCode'];
  };

  for (const [service, { list, members }] of Object.entries(SERVICES)) {
    test(`${service} answers with the authority's members`, async () => {
      const response = await call(`/api/v1/${service}`);
      const answer = (await response.json()) as Record<string, Record<string, unknown>[]>;
      assert.equal(response.headers.get('content-type'), 'application/json');
      assert.deepEqual(Object.keys(answer), ['success', 'createdDate', 'errorStatus', list]);
      assert.deepEqual([answer['success'], answer['createdDate'], answer['errorStatus']], [true, NOW_IN_SKOPJE, null]);
      for (const item of answer[list] ?? []) assert.deepEqual(Object.keys(item), members);
    });
  }

  test('every tax indicator has a tax group that is in the list of tax groups', async () => {
    const codes = async (service: string, list: string, member: string) => {
      const answer = (await (await call(`/api/v1/${service}`)).json()) as Record<string, Record<string, string>[]>;
      return new Set((answer[list] ?? []).map((item) => item[member]));
    };
    const used = await codes('tax-indicators', 'taxIndicators', 'taxGroupCode');
    assert.equal(used.size, 4);
    assert.ok(used.isSubsetOf(await codes('tax-groups', 'taxGroupList', 'code')));
  });

  test('Cyrillic letters that look Latin are sent as Cyrillic', async () => {
    const bytes = Buffer.from(await (await call('/api/v1/reject-reason')).arrayBuffer());
    const latinO5 = Buffer.from('224f2d3522', 'hex');
    const cyrillicO6 = Buffer.from('22d09e2d3622', 'hex');
    const cyrillicO7 = Buffer.from('22d09e2d3722', 'hex');
    for (const code of [latinO5, cyrillicO6, cyrillicO7]) assert.ok(bytes.includes(code));
    assert.ok(!bytes.includes(Buffer.from('224f2d3622', 'hex')), 'O-6 exists with the Cyrillic letter only');
  });

  test('server-time is local time of Skopje and needs no headers', async () => {
    assert.deepEqual(await (await call('/api/v1/server-time', {})).json(), { timestamp: NOW_IN_SKOPJE });
  });

  test('a catalogue without both headers is refused with E4016', async () => {
    for (const headers of [{}, { 'X-EDB': '4030026000018' }, { 'X-EUJP-ID': 'user-1' }, { ...CALLER, 'X-EDB': ' ' }]) {
      assert.equal(await errorCode('/api/v1/currency', { headers }), 'E4016');
    }
  });

  test('an unknown path is refused with E4004, a wrong method with E4005, both before the headers', async () => {
    assert.equal(await errorCode('/api/v1/no-such-list', {}), 'E4004');
    assert.equal(await errorCode('/api/v1/currency/', {}), 'E4004');
    assert.equal(await errorCode('/api/v1/currency', { method: 'POST', body: '{}' }), 'E4005');
    assert.equal(await errorCode('/api/v1/server-time', { method: 'DELETE' }), 'E4005');
  });

  test('any path outside the two APIs is a 404 with an HTML page', async () => {
    for (const path of ['/', '/einvoice_apis/api/v1/currency', '/api/v1/server-time']) {
      const response = await fetch(new URL(path, simulator.url));
      assert.deepEqual([response.status, response.headers.get('content-type')], [404, 'text/html']);
      await response.text();
    }
  });
});

test('in an outage every call is answered with HTTP 502 and an HTML page', async (t) => {
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, startInOutage: true });
  t.after(simulator.close);
  for (const path of ['/api/v1/server-time', '/api/v1/currency', '/anything']) {
    const response = await fetch(`${simulator.url}${path}`, { headers: CALLER });
    assert.equal(response.status, 502);
    assert.match(await response.text(), /^<html>/u);
  }
});

test('closing twice does no harm', async () => {
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0 });
  await simulator.close();
  await simulator.close();
  await assert.rejects(fetch(simulator.url));
});
