import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { certificateReading } from '../../../src/adapters/credentials/certificate-reading.ts';
import type { PrivateKeyFacts } from '../../../src/application/ports/credentials.ts';
import { createCertificate, otherKeyPair } from '../../support/certificate.ts';

const VALID_FROM = new Date('2025-05-06T07:08:09Z');
const VALID_TO = new Date('2028-05-06T07:08:09Z');
const alfa = createCertificate({ serial: '00abcd', validFrom: VALID_FROM, validTo: VALID_TO });
const other = createCertificate({ keys: otherKeyPair() });

function readKey(pem: string): PrivateKeyFacts {
  const key = certificateReading.privateKey(pem);
  return typeof key === 'string' ? assert.fail(key) : key;
}

function onlyCertificate(pem: string) {
  const [certificate, ...more] = certificateReading.certificates(pem) ?? assert.fail('unreadable');
  assert.equal(more.length, 0);
  return certificate ?? assert.fail('none');
}

describe('certificates', () => {
  test('are read with their serial number as the authority shows it, their time and their key', () => {
    const { pem, ...facts } = onlyCertificate(alfa.certificatePem);
    const time = { validFrom: VALID_FROM.getTime(), validTo: VALID_TO.getTime() };
    const expected = { serialNumber: 'ABCD', ...time, keyType: 'rsa', keyBits: 2048 };
    assert.deepEqual(facts, expected);
    assert.deepEqual(onlyCertificate(pem), { pem, ...facts });
  });

  test('are found in a chain and among other text, as tools write them', () => {
    const attributes = 'Bag Attributes\r\n    friendlyName: Алфа\r\nsubject=CN = Alfa\r\n';
    const windows = alfa.certificatePem.replaceAll('\n', '\r\n');
    const chain = `${attributes}${windows}${attributes}${other.certificatePem}${other.privateKeyPem}`;
    const serials = certificateReading.certificates(chain)?.map(({ serialNumber }) => serialNumber);
    assert.deepEqual(serials, ['ABCD', other.serial]);
  });

  test('what holds none is no certificate, what cannot be read is said so', () => {
    for (const text of ['', 'no certificate', alfa.privateKeyPem, '\u0000\u0082\u0003']) {
      assert.deepEqual(certificateReading.certificates(text), []);
    }
    const broken = alfa.certificatePem.replace(/\n.{40}/u, '\nAAAA');
    assert.equal(certificateReading.certificates(broken), null);
  });
});

describe('private keys', () => {
  test('are read in either form, among other text, and come as PKCS #8', () => {
    const traditional = alfa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    for (const pem of [alfa.privateKeyPem, traditional, `${alfa.certificatePem}Key Attributes\n${traditional}`]) {
      const key = readKey(pem);
      assert.equal(key.pem, alfa.privateKeyPem);
      assert.equal(key.belongsTo(onlyCertificate(alfa.certificatePem)), true);
      assert.equal(key.belongsTo(onlyCertificate(other.certificatePem)), false);
    }
  });

  test('encrypted ones are recognised in either form', () => {
    const secret = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
    for (const type of ['pkcs8', 'pkcs1'] as const) {
      const encrypted = alfa.privateKey.export({ type, ...secret }).toString();
      assert.equal(certificateReading.privateKey(encrypted), 'encrypted', type);
    }
  });

  test('what holds none is no key, what cannot be read is said so', () => {
    const publicPem = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
    for (const text of ['', alfa.certificatePem, publicPem]) {
      assert.equal(certificateReading.privateKey(text), 'none');
    }
    const broken = alfa.privateKeyPem.replace(/\n.{40}/u, '\nAAAA');
    assert.equal(certificateReading.privateKey(broken), 'unreadable');
  });

  test('of other kinds are read too: whether they will do is not decided here', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = readKey(privateKey.export({ type: 'sec1', format: 'pem' }).toString());
    assert.equal(createPrivateKey(key.pem).asymmetricKeyType, 'ec');
    assert.equal(key.belongsTo(onlyCertificate(alfa.certificatePem)), false);
  });
});
