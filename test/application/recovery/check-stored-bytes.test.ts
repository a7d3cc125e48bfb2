import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredBytes } from '../../../src/application/ports/recovery/stored-bytes.ts';
import { checkStoredBytes } from '../../../src/application/recovery/check-stored-bytes.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import { newTenant } from '../../engines/samples.ts';

const { edb: tenant } = newTenant();
const MOST_OF_FILE = 10;
const MOST_WITHOUT_FILE = 1_000;

/** A database with one damaged file that so many documents have, and so many documents without a file. */
function bytesWith(ofFile: number, withoutFile: number): StoredBytes {
  const documents = (count: number) => Array.from({ length: count }, (_, index) => `document-${index}` as DocUid);
  const damaged = { tenant, key: 'a1', isDamaged: true };
  return {
    structure: async () => [],
    count: async () => ({ files: 1, payloads: 0 }),
    files: async (from) => ('after' in from && from.after === null ? [damaged] : []),
    payloads: async () => [],
    documentsOf: async (_tenant, _key, limit) => documents(ofFile).slice(0, limit),
    withoutFile: async (limit) =>
      documents(withoutFile)
        .slice(0, limit)
        .map((docUid) => ({ tenant, docUid })),
    archivedFiles: async () => ({ files: [], last: null }),
  };
}

test('the check of stored bytes says where it names fewer documents than there are', async () => {
  const found = async (ofFile: number, withoutFile: number) => {
    const check = checkStoredBytes({ bytes: bytesWith(ofFile, withoutFile), archive: null });
    return (await check(() => undefined)).damage;
  };
  const [few] = await found(MOST_OF_FILE, 0);
  assert.deepEqual([few?.what, few?.documents.length], ['file a1', MOST_OF_FILE]);
  const [many] = await found(MOST_OF_FILE + 1, 0);
  assert.deepEqual([many?.what, many?.documents.length], ['file a1, also of more documents', MOST_OF_FILE]);
  const whats = async (withoutFile: number) => (await found(1, withoutFile)).slice(1).map(({ what }) => what);
  const missing = Array.from({ length: MOST_WITHOUT_FILE }, () => 'file is missing');
  assert.deepEqual(await whats(MOST_WITHOUT_FILE), missing);
  assert.deepEqual(await whats(MOST_WITHOUT_FILE + 1), [...missing, 'files of more documents are missing']);
});
