import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenantTable } from '../../src/cli/commands/tenant-view.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { Tenant } from '../../src/domain/accounts/tenant.ts';

const ALFA: Tenant = {
  edb: '4030026000018' as Edb,
  name: 'Alfa',
  environment: 'production',
  outboundEnabled: true,
  eujpId: 'a',
  reverseChargeRate: 18,
  foreignCurrency: false,
  language: 'mk',
  stopped: null,
};

test('the list of tenants says under DELIVERY that documents are failing, how many and why, or that nothing is sent', () => {
  const failing = { documents: 12, failureCode: 'AUTHORITY-ERROR', failureMessage: 'The tax authority failed.' };
  const table = tenantTable([{ tenant: ALFA, certificate: null, failing, isUncompared: false }]);
  assert.match(
    String(table),
    / on, but failing; documents that failed 3 times or more: 12; The tax authority failed\.\n?$/u,
  );
  assert.match(
    String(tenantTable([{ tenant: ALFA, certificate: null, failing: null, isUncompared: false }])),
    / on\n?$/u,
  );
  const held = tenantTable([{ tenant: ALFA, certificate: null, failing, isUncompared: true }]);
  assert.match(String(held), / held: not compared since the restore; "dostava reconcile[^\n]+\n?$/u);
});
