import assert from 'node:assert/strict';
import { createPrivateKey, randomBytes, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { createQuickKeys } from './quick-keys.ts';

test('a quick key is an RSA key of 2,048 bits whose signatures everybody can verify', () => {
  const { privateKey, publicKey } = createQuickKeys();
  assert.deepEqual(privateKey.asymmetricKeyDetails, { modulusLength: 2_048, publicExponent: 65_537n });
  const readAgain = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  for (let time = 0; time < 100; time += 1) {
    const bytes = randomBytes(100);
    const signature = sign('sha256', bytes, time % 2 === 0 ? privateKey : readAgain);
    assert.ok(verify('sha256', bytes, publicKey, signature));
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    assert.ok(!verify('sha256', bytes, publicKey, signature));
  }
});
