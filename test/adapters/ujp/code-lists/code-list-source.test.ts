import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Simulator, startSimulator } from '../../../../simulator/simulator.ts';
import { createCodeListSource } from '../../../../src/adapters/ujp/code-lists/code-list-source.ts';
import type { CodeListSource } from '../../../../src/application/ports/code-list-source.ts';
import type { Tenant } from '../../../../src/domain/accounts/tenant.ts';
import { CODE_LIST_TYPES, type CodeListType, entriesInForce } from '../../../../src/domain/values/code-list.ts';
import { codeListsAt } from '../answers/canned-authority.ts';
import { ALFA_TENANT, clientAt } from '../services/client.ts';

const TODAY = '2026-11-14';

const numbered = (prefix: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, offset) => `${prefix}${from + offset}`);

const ACTIVE_CODES: Partial<Record<CodeListType, readonly string[]>> = {
  'document-types': ['100', '110', '120', '130', '150', '160', '170'],
  'document-statuses': ['00', '01', '03', '04', '05', '07', '09', '10'],
  'reference-document-types': ['SYS', 'ST', 'JN', 'DOG', 'NAR', 'PRO', 'C_D', 'FIS', 'DOC'],
  'tax-groups': ['DDV-A', 'DDV-V', 'DDV-B', 'DDV-G'],
  'tax-indicators': [
    ...['DDV-G', 'DDV-A', 'DDV-V', 'DDV-B', 'DDV-7-I', 'DDV-8', 'DDV-9', 'DDV-10-13', 'DDV-10-14'],
    ...['DDV-11-A', 'DDV-11-V', 'DDV-11-B', 'DDV-12-4', 'DDV-14-4', 'DDV-12-5', 'DDV-14-5'],
    ...[...numbered('DDV-8-', 2, 10), 'DDV-8-P', 'DDV-8-ZDSJD', 'DDV-8-DR', 'DDV-8-Z'],
    ...[...numbered('DDV-9-', 1, 8), 'DDV-9-8-a', ...numbered('DDV-9-', 9, 17), 'DDV-9-17-a', 'DDV-9-17-b'],
    ...['DDV-9-18', 'DDV-9-19', 'DDV-9-19-a', 'DDV-9-19-b', 'DDV-9-20', 'DDV-9-DR'],
    ...[...numbered('DDV-10-13-1-', 1, 5), 'DDV-10-13-3', 'DDV-10-14-2', ...numbered('DDV-10-14-4-', 1, 11)],
    ...['DDV-11-A-G', 'DDV-11-A-\u041e', 'DDV-PNPI-DS-\u0410', 'DDV-PNPI-DS-V', 'DDV-PNPI-DS-B', 'DDV-uvoz'],
    ...['DDV-PNPI-\u0410', 'DDV-PNPI-V', 'DDV-PNPI-B', 'DDV-M-\u0422\u041e', 'DDV-M-18', 'DDV-M-5'],
    ...['DDV-18-BN', 'DDV-10-BN', 'DDV-5-BN', 'DDV-vaucer-E', 'ZDSJD-18', 'ZDSJD-10', 'ZDSJD-5'],
    ...['DDV-14-3-18', 'DDV-14-3-5', 'DDV-vaucer-P', 'DDV-PS'],
  ],
  'payment-types': numbered('P', 10, 19),
  'void-reasons': ['S-1', 'S-2', 'S-3'],
  'correction-reasons': ['C01'],
  'reject-reasons': ['O-1', 'O-2', 'O-3', 'O-4', 'O-5', '\u041e-6', '\u041e-7'],
  currencies: ['MKD', 'EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'JPY', 'DKK', 'CAD', 'AUD', 'BGN', 'CZK'],
};

suite('code lists read from the simulator', () => {
  let simulator: Simulator;
  let source: CodeListSource;

  before(async () => {
    simulator = await startSimulator({ host: '127.0.0.1', port: 0 });
    source = codeListsAt(simulator.url);
  });
  after(() => simulator.close());

  const active = async (type: CodeListType, onDate = TODAY) =>
    entriesInForce(await source.read(ALFA_TENANT, type), onDate);
  const nameOf = async (type: CodeListType, code: string, onDate = TODAY) =>
    (await active(type, onDate)).find((entry) => entry.code === code)?.name;

  for (const type of CODE_LIST_TYPES.filter((type) => type !== 'countries')) {
    test(`${type}: exactly the active codes, letter for letter`, async () => {
      assert.deepEqual(
        (await active(type)).map((entry) => entry.code),
        ACTIVE_CODES[type],
      );
    });
  }

  test('countries: 156 codes, with MK and without XK', async () => {
    const codes = (await active('countries')).map((entry) => entry.code);
    assert.equal(new Set(codes).size, 156);
    assert.ok(codes.includes('MK'));
    assert.ok(!codes.includes('XK'));
    assert.ok(codes.every((code) => /^[A-Z]{2}$/u.test(code)));
  });

  test('the name of an entry comes from the member that its list uses for names', async () => {
    assert.equal(await nameOf('document-types', '170'), 'Фактура кон физичко лице');
    assert.equal(await nameOf('document-statuses', '01'), 'Испратена (Нова)');
    assert.equal(await nameOf('reference-document-types', 'SYS'), 'Од систем');
    assert.equal(await nameOf('tax-groups', 'DDV-V'), 'ДДВ 10%');
    assert.equal(await nameOf('tax-indicators', 'DDV-G'), 'Не е ДДВ обврзник');
    assert.equal(await nameOf('payment-types', 'P12'), 'Плаќање преку банка');
    assert.equal(await nameOf('void-reasons', 'S-1'), 'Погрешен купувач');
    assert.equal(await nameOf('correction-reasons', 'C01'), 'Грешка во цена');
    assert.equal(await nameOf('reject-reasons', 'O-5'), 'Дупликат фактура');
    assert.equal(await nameOf('currencies', 'MKD'), 'Македонски денар');
    assert.equal(await nameOf('countries', 'MK'), 'Северна Македонија');
  });

  test('a renamed entry has the name in force on the day; on the day of the change the newer one', async () => {
    assert.equal(await nameOf('document-types', '100', '2025-12-28'), 'Општа Фактура');
    assert.equal(await nameOf('document-types', '100', '2025-12-29'), 'Фактура');
    assert.equal(await nameOf('void-reasons', 'S-2', '2026-04-27'), 'Грешка во нарачка (количина, цена и друго)');
    assert.equal(await nameOf('void-reasons', 'S-2', '2026-04-28'), 'Поништување на договор');
  });

  test('of two entries with the same code and start the first in the list is used', async () => {
    const name = await nameOf('tax-indicators', 'DDV-10-14-4-6');
    assert.match(name ?? '', /став 4 точка 6/u);
  });

  test('validity bounds given in UTC are taken as days in Skopje', async () => {
    assert.equal(await nameOf('correction-reasons', 'C01', '2026-08-19'), undefined);
    assert.equal(await nameOf('correction-reasons', 'C01', '2026-08-20'), 'Грешка во цена');
    assert.equal(await nameOf('document-types', '999', '2098-12-31'), undefined);
    assert.notEqual(await nameOf('document-types', '999', '2099-01-01'), undefined);
  });

  test('inactive and expired entries are read too, with their flag and dates', async () => {
    const entries = await source.read(ALFA_TENANT, 'payment-types');
    const { active, validTo } = entries.find((entry) => entry.code === '1000') ?? {};
    assert.deepEqual({ active, validTo }, { active: false, validTo: null });
    assert.deepEqual(entries.at(-1), {
      code: '1090',
      name: 'Други платежни инструменти',
      active: true,
      validFrom: '2025-06-01',
      validTo: '2025-12-24',
      details: {},
    });
  });

  test('a slash at the end of the configured URL is tolerated', async () => {
    const slashed = codeListsAt(`${simulator.url}/`);
    assert.equal((await slashed.read(ALFA_TENANT, 'currencies')).length, 13);
  });

  test('the details that the conversion needs are kept beside code and name', async () => {
    const [group] = await source.read(ALFA_TENANT, 'tax-groups');
    assert.equal(group?.details['percent'], 18);
    const [indicator] = await source.read(ALFA_TENANT, 'tax-indicators');
    assert.deepEqual(Object.keys(indicator?.details ?? {}), [
      'categoryCode',
      'categoryDesc',
      'note',
      'vatImpact',
      'taxGroupCode',
    ]);
    const [type] = await source.read(ALFA_TENANT, 'document-types');
    assert.equal(type?.details['hasReference'], false);
    assert.equal(type?.details['isReferenceMandatory'], false);
  });
});

test('every list is paced by the tenant that reads it', async (t) => {
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0 });
  t.after(simulator.close);
  const { client, turns } = clientAt(simulator.url);
  const source = createCodeListSource(client);
  await source.read(ALFA_TENANT, 'currencies');
  await source.read(ALFA_TENANT, 'countries');
  assert.deepEqual(turns, [ALFA_TENANT, ALFA_TENANT]);
});

test('without an EUJP-ID or a URL nothing is sent, and the error says what is missing', async () => {
  const { client, turns } = clientAt('http://127.0.0.1:9');
  const source = createCodeListSource(client);
  const missing = (message: RegExp) => ({
    name: 'AuthorityCallError',
    kind: 'credentials',
    isUncertain: false,
    message,
  });
  const asking = (changes: Partial<Tenant>) => source.read({ ...ALFA_TENANT, ...changes }, 'currencies');
  await assert.rejects(asking({ eujpId: null }), missing(/4030026000018.*EUJP-ID/u));
  await assert.rejects(asking({ eujpId: '  ' }), missing(/EUJP-ID/u));
  await assert.rejects(asking({ eujpId: 'корисник' }), missing(/EUJP-ID.*characters/u));
  await assert.rejects(asking({ eujpId: 'user\r\nX-EDB: 1' }), missing(/EUJP-ID.*characters/u));
  await assert.rejects(asking({ environment: 'production' }), missing(/operator has not configured.*production/u));
  assert.deepEqual(turns, []);
});

test('an authority out of order is a call error with its HTTP status and content type', async (t) => {
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, startInOutage: true });
  t.after(simulator.close);
  const { host, pathname } = new URL(simulator.url);
  await assert.rejects(codeListsAt(simulator.url).read(ALFA_TENANT, 'currencies'), {
    name: 'AuthorityCallError',
    kind: 'error',
    message: `${host}${pathname}/api/v1/currency answered HTTP 502 (text/html), not JSON in UTF-8`,
  });
});
