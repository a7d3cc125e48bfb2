import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readPkcs12 } from '../../../../src/adapters/credentials/pkcs12/read-pkcs12.ts';
import { createCertificate, otherKeyPair } from '../../../support/certificate.ts';
import { fc } from '../../../support/seeds.ts';
import { exportPkcs12, NO_OPENSSL } from './openssl.ts';

const own = createCertificate();
const issuer = createCertificate({ keys: otherKeyPair() });
const PASSWORD = 'тајна ß 12';
/** Made by OpenSSL 3 with the options of the name, password `tajna`, and a certificate that is used nowhere else. */
const FIXTURES = ['aes-256', 'triple-des'].map((name) => ({
  name,
  file: readFileSync(new URL(`${name}.p12`, import.meta.url)),
}));

function assertOwnKey(content: ReturnType<typeof readPkcs12>): void {
  assert.ok(!('refusal' in content), JSON.stringify(content));
  assert.ok(createPrivateKey(content.privateKeyPem).equals(own.privateKey));
  assert.ok(content.certificatePem.includes(own.certificatePem.trim()));
}

describe('files that OpenSSL made', { skip: NO_OPENSSL }, () => {
  const kinds: Readonly<Record<string, readonly string[]>> = {
    'as it makes them today': [],
    'as older programs made them, in Triple DES': ['-legacy', '-certpbe', 'PBE-SHA1-3DES'],
    'without a MAC': ['-nomac'],
    'without encryption': ['-keypbe', 'NONE', '-certpbe', 'NONE'],
    'with other ciphers and another MAC': ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-192-CBC', '-macalg', 'sha512'],
    'with one iteration': ['-noiter', '-nomaciter'],
  };
  for (const [kind, options] of Object.entries(kinds)) {
    test(`give key and certificate: ${kind}`, () => {
      for (const password of [PASSWORD, '']) {
        assertOwnKey(readPkcs12(exportPkcs12({ ...own, password, options }), password));
      }
    });
  }

  test('give all the certificates of a chain', () => {
    const certificatePem = `${own.certificatePem}${issuer.certificatePem}`;
    const content = readPkcs12(exportPkcs12({ ...own, certificatePem, password: PASSWORD }), PASSWORD);
    assertOwnKey(content);
    assert.ok('certificatePem' in content && content.certificatePem.includes(issuer.certificatePem.trim()));
  });

  test('are told apart when they cannot be used', () => {
    const file = exportPkcs12({ ...own, password: PASSWORD });
    const withoutMac = exportPkcs12({ ...own, password: PASSWORD, options: ['-nomac'] });
    const rc2 = exportPkcs12({ ...own, password: PASSWORD, options: ['-legacy'] });
    const keyless = exportPkcs12({ ...own, privateKeyPem: null, password: PASSWORD });
    assert.deepEqual(readPkcs12(file, 'another'), { refusal: 'wrong-password' });
    assert.deepEqual(readPkcs12(file, ''), { refusal: 'wrong-password' });
    assert.deepEqual(readPkcs12(withoutMac, 'another'), { refusal: 'wrong-password' });
    assert.deepEqual(readPkcs12(rc2, PASSWORD), { refusal: 'unsupported', detail: 'RC2' });
    assert.deepEqual(readPkcs12(keyless, PASSWORD), { refusal: 'no-key' });
  });
});

describe('any file', () => {
  for (const { name, file } of FIXTURES) {
    test(`in ${name} gives key and certificate, and nothing to a wrong password`, () => {
      const content = readPkcs12(file, 'tajna');
      assert.ok('privateKeyPem' in content, JSON.stringify(content));
      assert.match(content.certificatePem, /BEGIN CERTIFICATE/u);
      assert.deepEqual(readPkcs12(file, 'Tajna'), { refusal: 'wrong-password' });
    });

    test(`in ${name} that was cut or changed is refused, whatever was changed`, () => {
      const original = readPkcs12(file, 'tajna');
      fc.assert(
        fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, change, isCut) => {
          const damaged = Buffer.from(isCut ? file.subarray(0, at) : file);
          if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ change;
          const content = readPkcs12(damaged, 'tajna');
          // A byte that says nothing, such as one of an attribute's name, may differ: then key and certificate are the same.
          if (!('refusal' in content)) assert.deepEqual(content, original);
        }),
        { numRuns: 40 },
      );
    });
  }

  test('that is no PKCS #12 file is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        assert.ok('refusal' in readPkcs12(bytes, 'tajna'));
      }),
    );
  });

  test('that nests without end is refused', () => {
    const deep = Buffer.alloc(100_000, Buffer.from([0x30, 0x80]));
    assert.deepEqual(readPkcs12(deep, 'tajna'), { refusal: 'damaged' });
  });

  test('that asks for more iterations than any program uses is refused at once', () => {
    const [modern] = FIXTURES;
    const file = Buffer.from(modern?.file ?? []);
    const iterations = file.lastIndexOf(Buffer.from([0x02, 0x02, 0x08, 0x00]));
    assert.ok(iterations > 0);
    const grown = Buffer.concat([
      file.subarray(0, iterations),
      Buffer.from([0x02, 0x04, 0x7f, 0xff, 0xff, 0xff]),
      file.subarray(iterations + 4),
    ]);
    // The lengths of the values around it grow by two bytes: those of the file and of the MAC.
    grown.writeUInt16BE(grown.readUInt16BE(2) + 2, 2);
    const mac = grown.lastIndexOf(Buffer.from([0x30, 0x41, 0x30, 0x31]));
    assert.ok(mac > 0);
    grown[mac + 1] = 0x43;
    assert.deepEqual(readPkcs12(grown, 'tajna'), { refusal: 'unsupported', detail: '2147483647 iterations' });
  });
});

test('a file with several keys is refused', { skip: NO_OPENSSL }, () => {
  // OpenSSL writes one key alone; two files whose contents are joined have two.
  const files = [own, { ...issuer }].map((one) =>
    exportPkcs12({ ...one, password: 'x', options: ['-nomac', '-keypbe', 'NONE', '-certpbe', 'NONE'] }),
  );
  assert.deepEqual(readPkcs12(joined(files), 'x'), { refusal: 'several-keys', detail: '2' });
});

/** The bags of several unencrypted files without a MAC in one. */
function joined(files: readonly Uint8Array[]): Uint8Array {
  const contents = files.map((file) => {
    const at = Buffer.from(file).indexOf(Buffer.from('06092a864886f70d010701a0', 'hex'));
    const safe = Buffer.from(file).subarray(at + 11);
    return inner(inner(inner(safe)));
  });
  const wrap = (tag: number, bytes: Uint8Array) =>
    Buffer.concat([
      Buffer.from([tag, 0x83, bytes.length >> 16, (bytes.length >> 8) & 0xff, bytes.length & 0xff]),
      bytes,
    ]);
  const data = Buffer.from('06092a864886f70d010701', 'hex');
  const safes = wrap(0x30, Buffer.concat(contents));
  const authenticated = wrap(0x30, Buffer.concat([data, wrap(0xa0, wrap(0x04, safes))]));
  return wrap(0x30, Buffer.concat([Buffer.from([0x02, 0x01, 0x03]), authenticated]));
}

/** What is inside the first value of the bytes. */
function inner(bytes: Uint8Array): Buffer {
  const first = bytes[1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  const length = lengthBytes === 0 ? first : Buffer.from(bytes).readUIntBE(2, lengthBytes);
  return Buffer.from(bytes).subarray(2 + lengthBytes, 2 + lengthBytes + length);
}
