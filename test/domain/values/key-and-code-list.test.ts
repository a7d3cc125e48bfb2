import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ApiKey,
  DEFAULT_CALLS_PER_MINUTE,
  INTEGRATION_SCOPE,
  whyUnusable,
} from '../../../src/domain/accounts/api-key.ts';
import {
  CODE_LIST_TYPES,
  type CodeListEntry,
  entriesInForce,
  isCodeListType,
} from '../../../src/domain/values/code-list.ts';
import { MORNING, newEdb, newKey } from '../../engines/samples.ts';
import { fc } from '../../support/seeds.ts';

describe('what is wrong with a key', () => {
  const allowed = () => true;
  const refused = () => false;
  const everythingWrong: Partial<ApiKey> = {
    revokedAt: MORNING,
    expiresAt: MORNING,
    allowedAddresses: ['192.0.2.1'],
    scopes: ['Reporting'],
  };

  test('is told in the order revoked, expired, address, scope; each hides those after it', () => {
    const order = [
      ['revoked', everythingWrong],
      ['expired', { ...everythingWrong, revokedAt: null }],
      ['address', { ...everythingWrong, revokedAt: null, expiresAt: null }],
      ['scope', { scopes: ['Reporting'] }],
      [null, {}],
    ] as const;
    for (const [fault, changes] of order) assert.equal(whyUnusable(newKey(newEdb(), changes), MORNING, refused), fault);
  });

  test('counts from the very millisecond, not before', () => {
    for (const [fault, changes] of [
      ['revoked', { revokedAt: MORNING }],
      ['expired', { expiresAt: MORNING }],
    ] as const) {
      const key = newKey(newEdb(), changes);
      assert.equal(whyUnusable(key, MORNING - 1, allowed), null);
      assert.equal(whyUnusable(key, MORNING, allowed), fault);
    }
  });

  test('a key without a list of addresses may come from anywhere', () => {
    assert.equal(whyUnusable(newKey(newEdb()), MORNING, refused), null);
    assert.equal(whyUnusable(newKey(newEdb(), { allowedAddresses: ['10.0.0.1'] }), MORNING, allowed), null);
  });

  test('the scope must be there among others, letter for letter', () => {
    const fault = (...scopes: string[]) => whyUnusable(newKey(newEdb(), { scopes }), MORNING, allowed);
    assert.equal(fault('Reporting', INTEGRATION_SCOPE), null);
    assert.equal(fault(), 'scope');
    assert.equal(fault('integrationapi'), 'scope');
    assert.equal(fault('IntegrationApi '), 'scope');
  });

  test('the usual traffic limit is 600 calls a minute', () => assert.equal(DEFAULT_CALLS_PER_MINUTE, 600));
});

describe('code lists', () => {
  const entry = (changes: Partial<CodeListEntry>): CodeListEntry => ({
    code: 'A',
    name: 'name',
    active: true,
    validFrom: null,
    validTo: null,
    details: {},
    ...changes,
  });
  const codes = (entries: readonly CodeListEntry[]) => entries.map(({ code }) => code);

  test('there are eleven types', () => {
    assert.equal(new Set(CODE_LIST_TYPES).size, 11);
    assert.ok(CODE_LIST_TYPES.every(isCodeListType));
    for (const text of ['', 'colours', 'Currencies', 'currencies ', 'toString', '__proto__']) {
      assert.equal(isCodeListType(text), false);
    }
  });

  test('an entry that was withdrawn is not in force', () => {
    assert.deepEqual(codes(entriesInForce([entry({ active: false }), entry({ code: 'B' })], '2026-11-16')), ['B']);
  });

  test('the first and the last day of validity are days of validity', () => {
    const list = [entry({ validFrom: '2026-11-16', validTo: '2026-11-18' })];
    const inForce = (day: string) => entriesInForce(list, day).length === 1;
    assert.deepEqual(['2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'].map(inForce), [
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test('of two entries in force under one code the one that began last counts, among equals the first listed', () => {
    const old = entry({ name: 'old' });
    const renamed = entry({ name: 'renamed', validFrom: '2026-11-01' });
    const same = entry({ name: 'listed later', validFrom: '2026-11-01' });
    const names = (...list: CodeListEntry[]) => entriesInForce(list, '2026-11-16').map(({ name }) => name);
    assert.deepEqual(names(old, renamed), ['renamed']);
    assert.deepEqual(names(renamed, old), ['renamed']);
    assert.deepEqual(names(renamed, same), ['renamed']);
    assert.deepEqual(names(old, entry({ name: 'to come', validFrom: '2026-12-01' })), ['old']);
  });

  test('entries of one code are told apart by a key, where one is given', () => {
    const list = [entry({ name: 'x' }), entry({ name: 'y' }), entry({ name: 'x', validFrom: '2026-11-01' })];
    const found = entriesInForce(list, '2026-11-16', ({ code, name }) => `${code} ${name}`);
    assert.deepEqual(found, [list[2], list[1]]);
  });

  test('codes that look alike in two scripts are two codes', () => {
    assert.deepEqual(codes(entriesInForce([entry({ code: 'A' }), entry({ code: 'А' })], '2026-11-16')), ['A', 'А']);
  });

  test('each code once, only what is in force, in the order of the list', () => {
    const day = fc.constantFrom('2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18');
    const list: fc.Arbitrary<CodeListEntry[]> = fc.array(
      fc.record({
        code: fc.constantFrom('A', 'B', 'C', 'D'),
        name: fc.string(),
        active: fc.boolean(),
        validFrom: fc.option(day),
        validTo: fc.option(day),
        details: fc.constant({}),
      }),
    );
    fc.assert(
      fc.property(list, day, (entries, today) => {
        const active = entriesInForce(entries, today);
        const inForce = entries.filter(
          ({ active: isActive, validFrom, validTo }) =>
            isActive && (validFrom ?? today) <= today && (validTo ?? today) >= today,
        );
        assert.deepEqual(codes(active), [...new Set(codes(inForce))]);
        assert.ok(active.every((one) => inForce.includes(one)));
      }),
    );
  });
});
