import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isTenantField } from '../../../src/domain/tenant-names/tenant-field.ts';
import { toHex } from '../../../src/domain/values/hex.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, pageOf, pageOffset } from '../../../src/domain/values/page.ts';
import { retryAfterSeconds } from '../../../src/domain/values/retry-after.ts';
import { fc } from '../../support/seeds.ts';

describe('pages', () => {
  test('the sizes are those of the contract', () => assert.deepEqual([DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE], [100, 500]));

  test('as many pages as are needed, none for nothing', () => {
    const request = { page: 1, pageSize: 100 };
    for (const [totalCount, totalPages] of [
      [0, 0],
      [1, 1],
      [99, 1],
      [100, 1],
      [101, 2],
      [1_000_000, 10_000],
    ] as const) {
      assert.equal(pageOf(request, [], totalCount).totalPages, totalPages);
    }
  });

  test('the offsets of all pages cover the list once, without gap or overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 1, max: 500 }), (totalCount, pageSize) => {
        const { totalPages } = pageOf({ page: 1, pageSize }, [], totalCount);
        const all = Array.from({ length: totalPages }, (_, index) => pageOffset({ page: index + 1, pageSize }));
        assert.ok(all.every((offset, index) => offset === index * pageSize && offset < totalCount));
        assert.ok(pageOffset({ page: totalPages + 1, pageSize }) >= totalCount);
      }),
    );
  });

  test('the request is repeated in the answer', () => {
    assert.deepEqual(pageOf({ page: 7, pageSize: 20 }, ['item'], 5), {
      items: ['item'],
      totalCount: 5,
      page: 7,
      pageSize: 20,
      totalPages: 1,
    });
  });
});

describe('fields that name a tenant', () => {
  const names = ['tenant', 'tenantid', 'tenantuid', 'tenantcode', 'tenantkey', 'taxpayerid', 'taxpayeruid'];

  test('are recognised whatever their case, hyphens and underscores', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.infiniteStream(fc.constantFrom('', '-', '_')),
        fc.boolean(),
        (name, signs, upper) => {
          const [...letters] = name;
          const spelt = letters.map((letter) => `${signs.next().value ?? ''}${upper ? letter.toUpperCase() : letter}`);
          assert.ok(isTenantField(spelt.join('')));
        },
      ),
    );
    for (const name of ['TenantId', 'tenant_id', 'TENANT-ID', 'tenantUID', 'taxpayerId'])
      assert.ok(isTenantField(name));
  });

  test('are these and no others', () => {
    for (const name of [
      '',
      'tenants',
      'tenant id',
      'tenant.id',
      'taxpayer',
      'tenantname',
      'subtenant',
      'id',
      'тenant',
    ]) {
      assert.equal(isTenantField(name), false, name);
    }
  });
});

describe('hexadecimal text', () => {
  test('has two digits for every byte', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.equal(toHex(bytes), Buffer.from(bytes).toString('hex'))));
  });
});

describe('Retry-After', () => {
  test('is whole seconds, at least one, enough and less than a second too many', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 3_600_000, noNaN: true }), (waitMs) => {
        const seconds = retryAfterSeconds(waitMs);
        assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds * 1_000 >= waitMs);
        assert.ok(seconds === 1 || (seconds - 1) * 1_000 < waitMs);
      }),
    );
  });
});
