import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from 'pino';
import { logFailures } from '../../src/app/work-log.ts';
import type { DeliveryEvent } from '../../src/application/delivery/delivery.ts';
import { FailuresInARow } from '../../src/domain/accounts/failures-in-a-row.ts';
import type { Tenant } from '../../src/domain/accounts/tenant.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';

test('failures in a row are a warning with the third of them, once, and so is their end', () => {
  const lines: string[] = [];
  const log = { warn: (_: unknown, line: string) => lines.push(line) } as unknown as Logger;
  const failures = new FailuresInARow();
  const tell = (outcome: DeliveryEvent['outcome'], failureCode: string | null) => {
    const tenant = { edb: '4030026000018' } as Tenant;
    logFailures(log, { outcome, tenant, docUid: 'd' as DocUid, failureCode, message: null }, failures);
  };
  tell('retry', 'AUTHORITY-ERROR');
  tell('unknown', 'AUTHORITY-TIMEOUT');
  tell('failed', 'NOT-EXPRESSIBLE');
  assert.deepEqual(lines, []);
  tell('retry', 'AUTHORITY-BUSY');
  tell('retry', 'AUTHORITY-BUSY');
  tell('accepted', null);
  tell('accepted', null);
  assert.deepEqual(lines, [
    'several attempts of the taxpayer failed in a row; its documents are tried again',
    'the authority deals with documents of the taxpayer again',
  ]);
});
