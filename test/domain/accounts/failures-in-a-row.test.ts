import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { FailuresInARow } from '../../../src/domain/accounts/failures-in-a-row.ts';

const ALFA = '4030026000018' as Edb;
const BETA = '4080026000023' as Edb;

test('the third failure in a row is told once, and so is the success that ends them; each tenant is counted by itself', () => {
  const failures = new FailuresInARow();
  assert.deepEqual([failures.failed(ALFA), failures.failed(ALFA), failures.failed(BETA)], [null, null, null]);
  assert.equal(failures.tenants, 0);
  assert.deepEqual([failures.failed(ALFA), failures.failed(ALFA)], ['begins', null]);
  assert.equal(failures.tenants, 1);
  assert.deepEqual(
    [failures.succeeded(BETA), failures.succeeded(ALFA), failures.succeeded(ALFA)],
    [null, 'ends', null],
  );
  assert.equal(failures.tenants, 0);
  assert.deepEqual([failures.failed(ALFA), failures.failed(ALFA), failures.failed(ALFA)], [null, null, 'begins']);
});
