import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, alfa, errorOf, startAuthority } from './authority-client.ts';
import type { Json } from './sample-document.ts';

const HEADERS = { 'X-EUJP-ID': alfa.eujpId, 'X-EDB': alfa.edb };
const COMMON = ['success', 'createdDate', 'errorStatus'];
const PAGE = ['content', 'pageNumber', 'pageSize', 'totalElements', 'totalPages', 'last'];
const requestTimestamp = '2026-11-15T10:00:00';

describe('catalogue and registry services', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const get = async (service: string, headers: Record<string, string> = HEADERS) =>
    (await (await fetch(`${authority.simulator.url}/api/v1/${service}`, { headers })).json()) as Json;
  const post = async (service: string, body: unknown) => {
    const headers = { ...HEADERS, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await (await fetch(`${authority.simulator.url}/api/v1/${service}`, init)).json()) as Json;
  };

  test('companies: all data of the register, or E1000', async () => {
    const answer = await get('companies/4030026000018');
    assert.deepEqual(Object.keys(answer), [...COMMON, 'company']);
    assert.deepEqual(answer['company'], {
      taxNumber: '4030026000018',
      vatNumber: 'МК4030026000018',
      registrationNumber: '7000018',
      name: 'АЛФА ДОО Скопје',
      address: { street: 'Партизанска', number: '14', city: 'Скопје', zip: '1000' },
      countryId: 132,
      changeDate: '2026-01-15T09:00:00',
      municipality: 'Карпош',
      golemina: '0',
      countryCode: 'MK',
    });
    assert.equal(((await get('companies/4001026000034'))['company'] as Json)['vatNumber'], null);
    assert.equal(errorOf(await get('companies/4099999999999')), 'E1000');
    assert.equal(errorOf(await get('companies/4030026000018', {})), 'E4016');
    assert.equal(errorOf(await get('companies/')), 'E4004');
  });

  test('subsidiary: the branches of a company, which may have none', async () => {
    const { subsidiary } = await get('subsidiary/4080026000023');
    const [first, second] = subsidiary as readonly Json[];
    assert.deepEqual(Object.keys(first ?? {}), [
      ...['taxPayerId', 'taxNumber', 'subsidiaryCode', 'subsidiaryName', 'subsidiaryStreet', 'subsidiaryNumber'],
      ...['subsidiaryCity', 'countryId', 'zip', 'taxpayerSubsidiaryCode', 'taxpayerSubsidiaryType', 'countryCode'],
    ]);
    assert.equal(second?.['subsidiaryCity'], 'Ресен');
    assert.deepEqual((await get('subsidiary/4001026000034'))['subsidiary'], []);
    assert.equal(errorOf(await get('subsidiary/4099999999999')), 'E1000');
  });

  test('currency-exchange/rate: the middle rate of a day, under a misspelt name', async () => {
    const answer = await post('currency-exchange/rate', { requestTimestamp, currencyName: 'EUR', date: '2026-11-10' });
    assert.deepEqual(Object.keys(answer), [...COMMON, 'currencyExcange']);
    const { id, currencyId, ...rate } = answer['currencyExcange'] as Json;
    assert.deepEqual([typeof id, typeof currencyId], ['number', 'number']);
    assert.deepEqual(rate, { country: 'EMU', code: '978', name: 'EUR', date: '2026-11-10', middleRate: 61.695 });
  });

  test('currency-exchange/rate: each invalid request has its code', async () => {
    const ask = async (more: Json) =>
      errorOf(
        await post('currency-exchange/rate', { requestTimestamp, currencyName: 'EUR', date: '2026-11-10', ...more }),
      );
    assert.equal(await ask({ currencyName: 'XXX' }), 'E5011');
    assert.equal(await ask({ currencyName: null }), 'E4011');
    assert.equal(await ask({ date: '2026-11-16' }), 'E4008');
    assert.equal(await ask({ date: 'today' }), 'E4010');
    assert.equal(await ask({ requestTimestamp: null }), 'E4012');
    assert.equal(await ask({ requestTimestamp: '2026-11-15T09:00:00' }), 'E4012');
    assert.equal(errorOf(await post('currency-exchange/rate', [])), 'E4000');
  });

  test('countries/list: pages, sorted in both directions', async () => {
    const page = { requestTimestamp, page: 0, size: 20, sortBy: 'code', sortDirection: 'ASC' };
    const first = await post('countries/list', page);
    assert.deepEqual(Object.keys(first), [...COMMON, ...PAGE]);
    const { content, pageNumber, pageSize, totalElements, totalPages, last } = first;
    assert.deepEqual([pageNumber, pageSize, totalElements, totalPages, last], [0, 20, 156, 8, false]);
    assert.deepEqual((content as readonly Json[])[0], { code: 'AD', name: 'Андора', tin: 'AD001' });
    const end = await post('countries/list', { ...page, page: 7 });
    assert.deepEqual([(end['content'] as readonly Json[]).length, end['last']], [16, true]);
    const reversed = await post('countries/list', { ...page, sortDirection: 'DESC' });
    assert.equal((reversed['content'] as readonly Json[])[0]?.['code'], 'ZW');
    const beyond = await post('countries/list', { ...page, page: 99 });
    assert.deepEqual([beyond['content'], beyond['last']], [[], true]);
    for (const wrong of [{ page: -1 }, { size: 0 }, { size: 'all' }, { sortDirection: 'UP' }]) {
      assert.equal(errorOf(await post('countries/list', { ...page, ...wrong })), 'E4010');
    }
  });

  test('doc-type-x-tax-indicator: the indicators that each document type allows', async () => {
    const rows = async (docType: string) =>
      (await get(`doc-type-x-tax-indicator/${docType}`))['docTypeXTaxIndicatorList'] as readonly Json[];
    const invoice = await rows('100');
    assert.deepEqual(Object.keys(invoice[0] ?? {}), [
      ...['docTypeId', 'taxIndicator', 'validDateFrom', 'validDateTo', 'active', 'docTypeCode', 'docTypeName'],
      'taxIndicatorCode',
    ]);
    const codes = (list: readonly Json[]) => new Set(list.map(({ taxIndicatorCode }) => taxIndicatorCode));
    for (const code of ['DDV-A', 'DDV-9', 'DDV-11-A']) assert.ok(codes(invoice).has(code), code);
    for (const code of ['DDV-12-4', 'ДДВ 18']) assert.ok(!codes(invoice).has(code), code);
    assert.ok(!codes(await rows('170')).has('DDV-11-A'), 'no reverse charge to a natural person');
    for (const { taxIndicator, taxIndicatorCode } of invoice) {
      assert.equal((taxIndicator as Json)['code'], taxIndicatorCode);
    }
    assert.equal(errorOf(await get('doc-type-x-tax-indicator/777')), 'E1017');
    const list = await post('doc-type-x-tax-indicator/list', { requestTimestamp, page: 1, size: 50, sortBy: 'id' });
    assert.deepEqual(Object.keys(list), [...COMMON, ...PAGE]);
    assert.equal((list['content'] as readonly Json[]).length, 50);
    assert.equal(errorOf(await get('doc-type-x-tax-indicator/list')), 'E4005');
  });

  test('purchase-tax-indicators and correction-reason: all entries, or those in force on a day', async () => {
    const all = await get('purchase-tax-indicators');
    assert.deepEqual(Object.keys(all), [...COMMON, 'purchaseTaxIndicators']);
    const items = all['purchaseTaxIndicators'] as readonly Json[];
    assert.deepEqual(Object.keys(items[0] ?? {}), [
      ...['code', 'name', 'description', 'vatImpact', 'isActive', 'validDateFrom', 'validDateTo', 'updated_on'],
    ]);
    const valid = (await get('purchase-tax-indicators/2026-11-15'))['purchaseTaxIndicators'] as readonly Json[];
    assert.equal(valid.length, items.length - 1);
    assert.deepEqual((await get('purchase-tax-indicators/2026-01-01'))['purchaseTaxIndicators'], []);
    const reasons = (await get('correction-reason/2026-11-15'))['correctionReasonList'] as readonly Json[];
    assert.deepEqual(
      reasons.map(({ code }) => code),
      ['C01'],
    );
    assert.equal(errorOf(await get('correction-reason/today')), 'E4010');
  });
});
