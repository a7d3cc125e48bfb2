import assert from 'node:assert/strict';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';

type Side = 'outbound' | 'inbound';

/** Changes one bit of a stored file behind the back of the service; a second time changes it back. */
export async function flipFile(engine: Engine, tenant: Edb, side: Side, docUid: DocUid, file: string): Promise<void> {
  await engine.transaction(async (sql) => {
    const row = await sql.get<{ readonly sha256: Uint8Array; readonly bytes: Uint8Array }>(
      `select sha256, bytes from ${side} join content on content.tenant = ${side}.tenant and content.sha256 = ${file}_sha256
       where ${side}.tenant = $1 and id = $2`,
      [tenant, docUid],
    );
    assert.ok(row !== null, `${side} has no ${file}`);
    const bytes = Uint8Array.from(row.bytes);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await sql.run('update content set bytes = $3 where tenant = $1 and sha256 = $2', [tenant, row.sha256, bytes]);
  });
}

/** Changes a column of the stored payload. */
export async function changePayload(engine: Engine, docUid: DocUid, column: string, value: string): Promise<void> {
  await engine.transaction(async (sql) => {
    assert.equal(await sql.run(`update outbound_payload set ${column} = $2 where doc_uid = $1`, [docUid, value]), 1);
  });
}
