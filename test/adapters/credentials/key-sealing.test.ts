import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { createKeySealing } from '../../../src/adapters/credentials/key-sealing.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import type { SealedCredential } from '../../../src/application/ports/storage/credential-store.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { edb, MORNING, newEdb } from '../../engines/samples.ts';
import { anyCharacters, fc } from '../../support/seeds.ts';

const numRuns = process.env['TEST_LONG'] === '1' ? 20_000 : 500;

const tenants = fc.integer({ min: 0, max: 9_999_999_999_999 }).map((number) => edb(String(number).padStart(13, '0')));
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const texts = anyCharacters({ minLength: 1, maxLength: 300 });

function sealed(key: string, tenant: Edb, pem: string): SealedCredential {
  const rest = { certificate: '', serialNumber: '1', validTo: MORNING, changedAt: MORNING };
  return { tenant, ...rest, ...createKeySealing([key], systemRandom).seal(tenant, pem) };
}

function newKey(): string {
  return randomBytes(32).toString('base64');
}

describe('a sealed private key', () => {
  test('opens for its tenant with the key that sealed it, to the last character', () => {
    fc.assert(
      fc.property(keys, tenants, texts, (key, tenant, pem) => {
        assert.deepEqual(createKeySealing([key], systemRandom).open(sealed(key, tenant, pem)), {
          kind: 'private-key',
          pem: pem,
        });
      }),
      { numRuns },
    );
  });

  test('never opens with a byte changed, wherever it is', () => {
    const change = fc.record({ place: fc.nat(), flip: fc.integer({ min: 1, max: 255 }) });
    fc.assert(
      fc.property(keys, tenants, texts, change, (key, tenant, pem, { place, flip }) => {
        const credential = sealed(key, tenant, pem);
        const altered = Uint8Array.from(credential.sealedKey);
        const at = place % altered.length;
        altered[at] = (altered[at] ?? 0) ^ flip;
        assert.throws(
          () => createKeySealing([key], systemRandom).open({ ...credential, sealedKey: altered }),
          /is damaged/u,
        );
      }),
      { numRuns },
    );
    // Every place of one, so that none depends on luck.
    const key = newKey();
    const credential = sealed(key, newEdb(), 'secret');
    for (const at of credential.sealedKey.keys()) {
      const altered = Uint8Array.from(credential.sealedKey, (byte, index) => (index === at ? byte ^ 1 : byte));
      assert.throws(
        () => createKeySealing([key], systemRandom).open({ ...credential, sealedKey: altered }),
        /is damaged/u,
      );
    }
  });

  test('never opens when it was cut short', () => {
    const key = newKey();
    const credential = sealed(key, newEdb(), 'secret');
    for (const length of credential.sealedKey.keys()) {
      const cut = credential.sealedKey.subarray(0, length);
      assert.throws(() => createKeySealing([key], systemRandom).open({ ...credential, sealedKey: cut }), /is damaged/u);
    }
  });

  test('never opens in the row of another tenant', () => {
    fc.assert(
      fc.property(keys, tenants, tenants, texts, (key, owner, thief, pem) => {
        fc.pre(owner !== thief);
        const copied = { ...sealed(key, owner, pem), tenant: thief };
        assert.throws(
          () => createKeySealing([key], systemRandom).open(copied),
          new RegExp(`${thief} is damaged or was sealed for`),
        );
      }),
      { numRuns },
    );
  });

  test('never opens with another key, whatever the row says', () => {
    fc.assert(
      fc.property(keys, keys, tenants, texts, (key, other, tenant, pem) => {
        fc.pre(key !== other);
        const credential = sealed(key, tenant, pem);
        const sealing = createKeySealing([other], systemRandom);
        assert.throws(
          () => sealing.open(credential),
          (error) =>
            error instanceof OperatorError &&
            error.message === `The private key of ${tenant} was sealed with another CREDENTIALS_KEY.`,
        );
        const { sealedBy } = sealing.seal(tenant, pem);
        assert.throws(() => sealing.open({ ...credential, sealedBy }), /is damaged/u);
      }),
      { numRuns },
    );
  });

  test('does not show what it holds, and looks different every time', () => {
    const [key, tenant, pem] = [newKey(), newEdb(), '-----BEGIN PRIVATE KEY-----'];
    const [one, two] = [sealed(key, tenant, pem), sealed(key, tenant, pem)];
    assert.ok(!Buffer.from(one.sealedKey).includes('PRIVATE'));
    assert.notDeepEqual(one.sealedKey, two.sealedKey);
  });
});

describe('the keys that seal', () => {
  test('the first one seals, every one opens: a key can be replaced', () => {
    const [old, fresh, tenant] = [newKey(), newKey(), newEdb()];
    const credential = sealed(old, tenant, 'secret');
    const both = createKeySealing([fresh, old], systemRandom);
    assert.deepEqual(both.open(credential), { kind: 'private-key', pem: 'secret' });
    const resealed = { ...credential, ...both.seal(tenant, 'secret') };
    assert.deepEqual(createKeySealing([fresh], systemRandom).open(resealed), { kind: 'private-key', pem: 'secret' });
    assert.throws(() => createKeySealing([old], systemRandom).open(resealed), /another CREDENTIALS_KEY/u);
  });

  test('a row names its key by a fingerprint, not by the key', () => {
    const key = newKey();
    const fingerprint = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 16);
    assert.equal(sealed(key, newEdb(), 'secret').sealedBy, fingerprint);
  });

  test('both ways to write base64 are the same key', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    const credential = sealed(bytes.toString('base64'), newEdb(), 'secret');
    assert.deepEqual(createKeySealing([bytes.toString('base64url')], systemRandom).open(credential), {
      kind: 'private-key',
      pem: 'secret',
    });
  });

  test('without one, or with one of another length, nothing is sealed', () => {
    assert.throws(() => createKeySealing([], systemRandom).seal(newEdb(), 'secret'), /There is no CREDENTIALS_KEY/u);
    assert.throws(() => createKeySealing([randomBytes(31).toString('base64')], systemRandom), /must be 32 bytes/u);
  });
});
