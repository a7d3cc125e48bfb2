import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { askSecret, askYes } from '../../src/cli/ask.ts';
import { exportPkcs12, NO_OPENSSL } from '../adapters/credentials/pkcs12/openssl.ts';
import { createCertificate } from '../support/certificate.ts';
import { temporaryFolder } from '../support/process.ts';
import { commandsHere, commandsOnNewDatabase } from './commands-here.ts';

const ZETA = '4044026000055';
const FILE = fileURLToPath(new URL('../adapters/credentials/pkcs12/aes-256.p12', import.meta.url));

type Shown = { readonly certificate: { readonly serialNumber: string } | null };

async function begin() {
  const folder = temporaryFolder();
  const variables = { DATA_DIR: join(folder, 'data') };
  const commands = await commandsOnNewDatabase(variables);
  await commands.json('tenant', 'add', '--edb', ZETA, '--name', 'Zeta');
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  return { ...commands, write, variables };
}

test('a PKCS #12 file is stored with the password of a file or of the environment', async () => {
  const { json, write, variables } = await begin();
  const password = write('password', 'tajna\n');
  const fromFile = await json<Shown>('tenant', 'set', ZETA, '--pkcs12', FILE, '--password-file', password);
  assert.match(fromFile.certificate?.serialNumber ?? '', /^[0-9A-F]+$/u);
  const withVariable = commandsHere({ ...variables, PKCS12_PASSWORD: 'tajna' });
  const fromVariable = await withVariable.json<Shown>('tenant', 'set', ZETA, '--pkcs12', FILE);
  assert.equal(fromVariable.certificate?.serialNumber, fromFile.certificate?.serialNumber);
});

test('a PKCS #12 file may have an empty password', { skip: NO_OPENSSL }, async () => {
  const { json, write } = await begin();
  const file = write('open.p12', exportPkcs12({ ...createCertificate(), password: '' }));
  const { certificate } = await json<Shown>(
    ...['tenant', 'set', ZETA, '--pkcs12', file, '--password-file', write('blank', '\n')],
  );
  assert.match(certificate?.serialNumber ?? '', /^[0-9A-F]+$/u);
});

test('a password that nobody entered is not an empty one', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const asked = askSecret('Password: ', 'Give it otherwise.', { input, output: new PassThrough() });
  input.end();
  await assert.rejects(asked, /^OperatorError: Nothing was entered\./u);
});

test('what cannot be stored is refused in one sentence, and no password is repeated', async () => {
  const { refusal, json, write } = await begin();
  const password = write('password', 'tajna');
  const wrong = write('wrong', 'pogresna-tajna');
  const cut = write('cut.p12', readFileSync(FILE).subarray(0, 900));
  const huge = write('huge.p12', Buffer.alloc(1_048_577));
  const cases: readonly (readonly [words: readonly string[], message: RegExp])[] = [
    [
      ['--pkcs12', FILE, '--password-file', wrong],
      /^The password does not open the PKCS #12 file, or the file is damaged\.$/u,
    ],
    [['--pkcs12', cut, '--password-file', password], /^The file is no PKCS #12 file, or it is damaged\.$/u],
    [['--pkcs12', huge, '--password-file', password], /huge\.p12 has more than 1048576 bytes\.$/u],
    [['--pkcs12', '/dev/zero', '--password-file', password], /^\/dev\/zero has more than 1048576 bytes\.$/u],
    [
      ['--pkcs12', FILE, '--password-file', write('blank', '\n')],
      /^The password is empty and does not open the PKCS #12 file/u,
    ],
    [['--pkcs12', FILE], /^There is no terminal to ask at\. Give --password-file, or set PKCS12_PASSWORD\.$/u],
  ];
  for (const [words, message] of cases) {
    const [exitCode, stderr] = await refusal('tenant', 'set', ZETA, ...words);
    assert.equal(exitCode, 1);
    assert.match(stderr.trimEnd(), message);
    assert.doesNotMatch(stderr, /tajna/u);
  }
  const [usage] = await refusal('tenant', 'set', ZETA, '--pkcs12', FILE, '--signing-command', 'TOKEN');
  assert.equal(usage, 2);
  const [option] = await refusal('tenant', 'set', ZETA, '--pkcs12', FILE, '--password', 'tajna');
  assert.equal(option, 2);
  const [tenant] = await json<readonly Shown[]>('tenant', 'list');
  assert.equal(tenant?.certificate, null);
});

test('a password that is asked for is not shown while it is typed', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const answer = askSecret('Password: ', 'Give it otherwise.', { input, output });
  const secret = randomBytes(9).toString('hex');
  input.write(`${secret}\r`);
  assert.equal(await answer, secret);
  assert.equal(String(output.read()), 'Password: \n');
});

test('only yes is yes', async () => {
  for (const [typed, isYes] of [
    ['yes', true],
    ['y', false],
    ['no', false],
    ['', false],
  ] as const) {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const asked = askYes('Send it?', 'Give --yes.', { input, output: new PassThrough() });
    input.write(`${typed}\r`);
    assert.equal(await asked, isYes, typed);
  }
});
