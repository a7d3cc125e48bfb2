import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createCertificate, otherKeyPair, type TestCertificate } from '../support/certificate.ts';
import { PROJECT, temporaryFolder } from '../support/process.ts';
import { type Delivering, startDelivering, type Taxpayer } from './support.ts';

const PIN = '1234';
const MODULES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/softhsm/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
];
const MODULE = MODULES.find((file) => existsSync(file));
const isThere = (program: string, ...words: string[]) => spawnSync(program, words).error === undefined;
const NO_HSM =
  MODULE !== undefined && isThere('softhsm2-util', '--version') && isThere('pkcs11-tool', '--version')
    ? false
    : 'SoftHSM (softhsm2) and OpenSC (opensc) are not installed.';
const NO_OPENSSL = isThere('openssl', 'version') ? false : 'OpenSSL is not on the command line.';

const folder = temporaryFolder();
const inToken = createCertificate({ keys: otherKeyPair() });
const inFile = createCertificate();
const keyFile = join(folder, 'key.pem');
const softHsmConfig = join(folder, 'softhsm2.conf');
const liar = join(folder, 'liar');

let delivering: Delivering;
before(async () => {
  writeFileSync(keyFile, inFile.privateKeyPem, { mode: 0o600 });
  delivering = await startDelivering({
    PATH: process.env['PATH'] ?? '',
    SIGNING_COMMAND_HSM: JSON.stringify([
      ...['/usr/bin/env', `SOFTHSM2_CONF=${softHsmConfig}`, 'SIGNER_PKCS11_TOKEN=alfa', 'SIGNER_PKCS11_KEY_ID=0a'],
      `${PROJECT}examples/signing/sign-with-pkcs11-tool`,
    ]),
    SIGNING_COMMAND_FILE: `${PROJECT}examples/signing/sign-with-openssl`,
    SIGNING_COMMAND_LIAR: liar,
    SIGNER_PKCS11_MODULE: MODULE ?? '',
    SIGNER_PIN: PIN,
    SIGNER_OPENSSL_KEY: keyFile,
  });
});
after(() => delivering.service.stop());

/** A taxpayer that signs with the certificate, by the command. */
async function joinSigning(name: string, { certificatePem }: TestCertificate, command: string): Promise<Taxpayer> {
  const { service, join: joinService, pull } = delivering;
  const taxpayer = await joinService(name);
  const { eujpId } = await service.operator.tenants.find(taxpayer.edb);
  await pull('certificates', { eujpId, edb: taxpayer.edb, certificatePem });
  await service.operator.credentials.setCommand(taxpayer.edb, certificatePem, command);
  delivering.clock.advance(3_000);
  return taxpayer;
}

/** A token with the key in it, which never leaves it again. */
function fillToken(): void {
  mkdirSync(join(folder, 'tokens'));
  writeFileSync(softHsmConfig, `directories.tokendir = ${join(folder, 'tokens')}\nobjectstore.backend = file\n`);
  const key = join(folder, 'to-import.pem');
  writeFileSync(key, inToken.privateKeyPem);
  const run = (...words: string[]) => {
    const { status, stderr } = spawnSync('softhsm2-util', words, {
      env: { ...process.env, SOFTHSM2_CONF: softHsmConfig },
    });
    assert.equal(status, 0, String(stderr));
  };
  run('--init-token', '--free', '--label', 'alfa', '--so-pin', PIN, '--pin', PIN);
  run('--import', key, '--token', 'alfa', '--label', 'key', '--id', '0a', '--pin', PIN);
}

test('a key that a token holds delivers a document to status 40', { skip: NO_HSM }, async () => {
  fillToken();
  const taxpayer = await joinSigning('Token', inToken, 'HSM');
  const docUid = await taxpayer.send('TOKEN-1');
  await delivering.reach(taxpayer, docUid, 40);
  assert.equal(await taxpayer.steps(docUid), '10 20 30 40');
});

test('a wrong PIN is tried once', { skip: NO_HSM }, () => {
  const { status, stderr } = spawnSync(`${PROJECT}examples/signing/sign-with-pkcs11-tool`, {
    input: `${Buffer.alloc(51).toString('base64')}\n`,
    env: {
      PATH: process.env['PATH'],
      SOFTHSM2_CONF: softHsmConfig,
      SIGNER_PKCS11_MODULE: MODULE,
      SIGNER_PKCS11_TOKEN: 'alfa',
      SIGNER_PKCS11_KEY_ID: '0a',
      SIGNER_PIN: '9999',
    },
  });
  assert.equal(status, 3, String(stderr));
  assert.match(String(stderr), /CKR_PIN_INCORRECT/u);
});

test('while a command fails documents wait, the tenant is not stopped, and they are delivered when it works again', {
  skip: NO_OPENSSL,
}, async () => {
  const taxpayer = await joinSigning('File', inFile, 'FILE');
  renameSync(keyFile, `${keyFile}.away`);
  const docUid = await taxpayer.send('FILE-1');
  await delivering.passUntil('an attempt failed', async () => (await taxpayer.document(docUid)).failureCode !== null);
  const failed = await taxpayer.document(docUid);
  assert.equal(failed.failureCode, 'SIGNER-UNAVAILABLE');
  assert.match(failed.failureMessage ?? '', /^The document could not be signed/u);
  const tenant = await delivering.service.operator.tenants.find(taxpayer.edb);
  assert.equal(tenant.stopped, null);
  // The next try may be under way already.
  const ended = (await taxpayer.story(docUid)).attempts.findLast(({ message }) => message !== null);
  assert.match(ended?.message ?? '', /^The signing command FILE did not sign: it ended with 1: /u);
  renameSync(`${keyFile}.away`, keyFile);
  await delivering.passUntil('it is accepted', async () => (await taxpayer.document(docUid)).status === 40);
  assert.match(await taxpayer.steps(docUid), /^10 20 30(?: 20:SIGNER-UNAVAILABLE 30)+ 40$/u);
});

test('a signature of another key never leaves', { skip: NO_OPENSSL }, async () => {
  writeFileSync(liar, `#!/bin/bash\nexec ${PROJECT}examples/signing/sign-with-openssl\n`);
  chmodSync(liar, 0o700);
  const taxpayer = await joinSigning('Liar', inFile, 'LIAR');
  writeFileSync(liar, `#!/bin/bash\nhead -c 256 /dev/zero | base64 -w0; echo\n`);
  const docUid = await taxpayer.send('LIAR-1');
  await delivering.passUntil('an attempt failed', async () => (await taxpayer.document(docUid)).failureCode !== null);
  assert.equal((await taxpayer.document(docUid)).failureCode, 'SIGNER-UNAVAILABLE');
  // The next try may be under way already.
  const ended = (await taxpayer.story(docUid)).attempts.findLast(({ message }) => message !== null);
  assert.match(ended?.message ?? '', /^The signing command LIAR signed with another key than that of /u);
  assert.deepEqual(await delivering.registered({ docNumber: 'LIAR-1' }), []);
});
