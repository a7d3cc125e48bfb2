import assert from 'node:assert/strict';
import { privateEncrypt, sign } from 'node:crypto';
import { test } from 'node:test';
import { createCommandSigner } from '../../../../src/adapters/ujp/gateway/command-signer.ts';
import { createPemSigner } from '../../../../src/adapters/ujp/gateway/pem-signer.ts';
import { edb } from '../../../engines/samples.ts';
import { createCertificate, otherKeyPair } from '../../../support/certificate.ts';

const own = createCertificate({ serial: '0abc' });
const other = createCertificate({ keys: otherKeyPair() });
const COMMAND = { name: 'TOKEN', tenant: edb('4030026000018') };

const signerBy = (answer: (digestInfo: Uint8Array) => Uint8Array) =>
  createCommandSigner(own.certificatePem, COMMAND, { sign: async (_name, _owner, digestInfo) => answer(digestInfo) });

test('a command signs as the key itself does, byte for byte', async () => {
  const byCommand = signerBy((digestInfo) => privateEncrypt(own.privateKey, digestInfo));
  const byKey = await createPemSigner(own.certificatePem, own.privateKeyPem);
  for (const text of ['', '{"a":1}', 'Скопје', 'x'.repeat(1_000_000)]) {
    assert.equal(await byCommand.sign(text), await byKey.sign(text));
  }
  const { serialNumber, certificate, validTo, isExternal } = byCommand;
  assert.deepEqual({ serialNumber, certificate, validTo, isExternal }, { ...pick(byKey), isExternal: true });
});

const pick = ({ serialNumber, certificate, validTo }: Awaited<ReturnType<typeof createPemSigner>>) => ({
  serialNumber,
  certificate,
  validTo,
});

test('no signature that the certificate does not confirm is ever used', async () => {
  const wrong: readonly ((digestInfo: Uint8Array) => Uint8Array)[] = [
    (digestInfo) => privateEncrypt(other.privateKey, digestInfo),
    () => privateEncrypt(own.privateKey, Buffer.from('another digest')),
    () => sign('sha256', Buffer.from('another text'), own.privateKey),
    (digestInfo) => privateEncrypt(own.privateKey, digestInfo.subarray(-32)),
    (digestInfo) => digestInfo,
    () => new Uint8Array(0),
  ];
  for (const answer of wrong) {
    await assert.rejects(signerBy(answer).sign('text'), {
      name: 'AuthorityCallError',
      kind: 'signing',
      isUncertain: false,
      message: 'The signing command TOKEN signed with another key than that of certificate ABC',
    });
  }
});
