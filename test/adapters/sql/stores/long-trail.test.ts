import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from '../../../../src/adapters/sql/engine.ts';
import { toRow } from '../../../../src/adapters/sql/stores/audit/audit-row.ts';
import { auditStore } from '../../../../src/adapters/sql/stores/audit/audit-store.ts';
import { newAuditEntry, newEdb } from '../../../engines/samples.ts';

test('more entries of the audit trail are read than a call has room for arguments', async () => {
  const tenant = newEdb();
  const row = toRow(newAuditEntry({ tenant }));
  const rows = Array.from({ length: 200_000 }, () => row);
  const sql: Sql = {
    all: async <Row>() => rows as unknown as readonly Row[],
    get: async () => null,
    run: async () => 0,
    snapshot: (work) => work(sql),
    lock: () => undefined,
    tryLocks: async (names) => new Set(names),
    takesLists: false,
  };
  const filter = { tenant, keyId: null, docUid: null, since: null, until: null, limit: rows.length };
  assert.equal((await auditStore(sql).read(filter)).length, rows.length);
});
