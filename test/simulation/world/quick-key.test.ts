import assert from 'node:assert/strict';
import { sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { chanceOf } from './chance.ts';
import { createQuickKey } from './quick-key.ts';

test('the quick key signs as OpenSSL does with the same key', () => {
  const { keys, sign: signQuickly } = createQuickKey(chanceOf('quick key'));
  assert.ok((keys.privateKey.asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048);
  for (const text of ['', 'a', 'a longer text that is signed']) {
    const bytes = Buffer.from(text);
    const signature = Buffer.from(signQuickly(bytes));
    assert.ok(verify('sha256', bytes, keys.publicKey, signature));
    assert.deepEqual(signature, sign('sha256', bytes, keys.privateKey));
  }
});
