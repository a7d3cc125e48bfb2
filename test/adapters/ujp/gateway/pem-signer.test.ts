import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, randomUUID, verify, X509Certificate } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { CompactSign } from 'jose';
import { START_FLAGS } from '../../../../bin/start-flags.js';
import { createPemSigner } from '../../../../src/adapters/ujp/gateway/pem-signer.ts';
import { createCertificate, otherKeyPair } from '../../../support/certificate.ts';

const { certificatePem, privateKeyPem } = createCertificate({ serial: '00a1b2c3' });

const TEXTS = Array.from(
  { length: 100 },
  (_, index) => `{"docNumber":"${index}","docNotes":"${'Ж'.repeat(index * 40)}"}`,
);

const TEN_MIB = 10 * 1_048_576;

const decoded = (part: string | undefined) => Buffer.from(part ?? '', 'base64url').toString();

test('a signature is a compact JWS (RS256) over exactly the bytes of the text, with the certificate in x5c', async () => {
  const { sign, certificate } = await createPemSigner(certificatePem, privateKeyPem);
  const text = '{"docNotes":"Плаќање \\u0022во готово\\u0022"}';
  const [header, payload, signature, ...rest] = (await sign(text)).split('.');
  assert.deepEqual(rest, []);
  assert.deepEqual(JSON.parse(decoded(header)), { alg: 'RS256', x5c: [certificate] });
  assert.equal(decoded(payload), text);
  const { publicKey, raw } = new X509Certificate(certificatePem);
  assert.equal(certificate, raw.toString('base64'));
  const signed = Buffer.from(`${header}.${payload}`);
  assert.ok(verify('sha256', signed, publicKey, Buffer.from(signature ?? '', 'base64url')));
});

test('a signature is byte for byte the one that jose makes', async (t) => {
  const { sign, certificate } = await createPemSigner(certificatePem, privateKeyPem);
  const key = createPrivateKey(privateKeyPem);
  const byJose = (text: string) =>
    new CompactSign(new TextEncoder().encode(text)).setProtectedHeader({ alg: 'RS256', x5c: [certificate] }).sign(key);
  const texts: Readonly<Record<string, readonly string[]>> = {
    'an empty text': [''],
    'every length that base64 pads differently': Array.from({ length: 50 }, (_, length) => 'x'.repeat(length)),
    'texts beyond ASCII': ['{"docNotes":"Плаќање во готово"}', 'é', '€', '\u0000\u007f\u0080\u07ff\u0800\uffff'],
    'astral characters, also halved': ['🧾𝒟', '🧾'.repeat(1_000), '\ud83e', '\uddfe\ud83e'],
    'ten MiB of ASCII': ['{"a":1}\n'.repeat(TEN_MIB / 8)],
    'ten MiB beyond ASCII': [`${'Ж🧾'.repeat(TEN_MIB / 6)}.`],
  };
  for (const [name, some] of Object.entries(texts)) {
    await t.test(name, async () => {
      // Compared by `===`: a difference inside ten MiB would not be readable.
      for (const text of some) assert.ok((await sign(text)) === (await byJose(text)), `${text.slice(0, 80)}…`);
    });
  }
});

test('what lies beside a text in memory is not signed', async () => {
  const { sign } = await createPemSigner(certificatePem, privateKeyPem);
  // Node keeps the bytes of small texts side by side in one buffer, so all but the first are views into it.
  assert.ok(TEXTS.slice(0, 3).some((text) => Buffer.from(text).byteOffset > 0));
  const signed = await Promise.all(TEXTS.map(sign));
  assert.deepEqual(
    signed.map((jws) => decoded(jws.split('.')[1])),
    TEXTS,
  );
});

test('what is signed is the text, also under the flags that the service runs with', async () => {
  const program = new URL('./sign-texts.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [...START_FLAGS, program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ certificatePem, privateKeyPem, texts: TEXTS }));
  const signed = JSON.parse(await text(child.stdout)) as readonly string[];
  const { sign } = await createPemSigner(certificatePem, privateKeyPem);
  assert.deepEqual(signed, await Promise.all(TEXTS.map(sign)));
  assert.deepEqual(
    signed.map((jws) => decoded(jws.split('.')[1])),
    TEXTS,
  );
});

test('the serial number is upper-case hex without leading zeros, the end of validity is in UTC', async () => {
  const validTo = new Date('2031-04-05T06:07:08Z');
  const order = createCertificate({ serial: '000a0b', validTo });
  const signer = await createPemSigner(order.certificatePem, order.privateKeyPem);
  assert.equal(signer.serialNumber, 'A0B');
  assert.equal(signer.validTo, '2031-04-05T06:07:08.000Z');
});

test('of a certificate chain the one that belongs to the key is used, at any position', async () => {
  const issuer = createCertificate({ serial: 'cafe', keys: otherKeyPair() });
  const chain = `subject=CN: Алфа\n${issuer.certificatePem}\n${certificatePem}`;
  assert.equal((await createPemSigner(chain, privateKeyPem)).serialNumber, 'A1B2C3');
});

test('an unusable key or certificate is refused with a clear message that holds nothing of the key', async () => {
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const foreign = otherKeyPair().privateKey;
  const pemOf = (key: typeof foreign) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const encrypted = foreign
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: randomUUID() })
    .toString();
  const broken = certificatePem.replace(/MII.{20}/u, 'MIIA');
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['', privateKeyPem, /no certificate in PEM/u],
    [broken, privateKeyPem, /certificate cannot be read/u],
    [certificatePem, '', /private key cannot be read/u],
    [certificatePem, 'nonsense', /private key cannot be read/u],
    [certificatePem, encrypted, /encrypted/u],
    [certificatePem, pemOf(elliptic), /no RSA key/u],
    [certificatePem, pemOf(short.privateKey), /1024 bits/u],
    [createCertificate({ keys: short }).certificatePem, pemOf(short.privateKey), /1024 bits/u],
    [certificatePem, pemOf(foreign), /does not belong/u],
  ];
  for (const [certificate, key, message] of cases) {
    await assert.rejects(createPemSigner(certificate, key), (error: Error) => {
      assert.match(error.message, message);
      assert.doesNotMatch(`${error.message}`, /BEGIN|MII/u);
      return true;
    });
  }
});
