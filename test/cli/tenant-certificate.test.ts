import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { newOutbound } from '../engines/samples.ts';
import { createCertificate, otherKeyPair } from '../support/certificate.ts';
import { temporaryFolder } from '../support/process.ts';
import { commandsOnNewDatabase } from './commands-here.ts';

const ZETA = readEdb('4044026000055');
const VALID_TO = '2099-01-02T03:04:05.000Z';
const own = createCertificate({ serial: '0abc', validTo: new Date(VALID_TO) });
const other = createCertificate({ keys: otherKeyPair() });

type Shown = {
  readonly certificate: { readonly serialNumber: string; readonly validTo: string; readonly changedAt: string } | null;
  readonly stopped: {
    readonly until: string;
    readonly since: string;
    readonly reason: string;
    readonly cause: string;
  } | null;
  readonly name: string;
};

/** A tenant, commands and the files of a certificate and its key. */
async function begin() {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const commands = await commandsOnNewDatabase({ DATA_DIR: dataDir });
  const run = (call: string) => commands.run(...call.split(' '));
  await run(`tenant add --edb ${ZETA} --name Zeta`);
  const file = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const certificate = await file('certificate.pem', own.certificatePem);
  const key = await file('key.pem', own.privateKeyPem);
  const store = `tenant set ${ZETA} --certificate ${certificate} --private-key ${key}`;
  const shown = async () => (JSON.parse((await run('tenant list --json')).stdout) as Shown[])[0] ?? assert.fail();
  return { run, file, certificate, key, store, shown, dataDir };
}

test('a certificate is stored with its key and shown from then on, for people and for programs', async () => {
  const { run, store, shown } = await begin();
  assert.equal((await shown()).certificate, null);
  const { exitCode, stdout } = await run(`${store} --name Renamed --json`);
  assert.equal(exitCode, 0);
  const answer = JSON.parse(stdout) as Shown;
  assert.deepEqual(
    [answer.name, answer.certificate?.serialNumber, answer.certificate?.validTo],
    ['Renamed', 'ABC', VALID_TO],
  );
  assert.ok(Math.abs(Date.now() - Date.parse(answer.certificate?.changedAt ?? '')) < 600_000);
  assert.deepEqual(await shown(), answer);
  const row = new RegExp(`^${ZETA} +Renamed +test +on +- +18 % +no +en +ABC +${VALID_TO} +on$`, 'mu');
  assert.match((await run('tenant list')).stdout, row);
  assert.match((await run(store)).stdout, row);
});

test('no command prints a private key, sealed or not', async () => {
  const { run, store } = await begin();
  const printed = [
    await run(store),
    await run(`${store} --json`),
    await run('tenant list'),
    await run('tenant list --json'),
  ];
  for (const { stdout } of printed) assert.doesNotMatch(stdout, /PRIVATE|BEGIN|sealed/iu);
});

test('a stopped queue is shown with its reason, and a new certificate starts it again', async (t) => {
  const { run, store, shown, dataDir } = await begin();
  const { engine, storage } = await openFoundation(readConfig({ DATA_DIR: dataDir }));
  t.after(() => engine.close());
  const since = Date.parse('2026-11-16T08:00:00Z');
  await storage.transaction((tx) => tx.tenants.stop(ZETA, 'E1003 No such certificate', since));
  const [from, until] = ['2026-11-16T08:00:00.000Z', '2026-11-16T08:01:00.000Z'];
  assert.deepEqual((await shown()).stopped, {
    until,
    since: from,
    reason: 'E1003 No such certificate',
    cause: 'account',
  });
  assert.match(
    (await run('tenant list')).stdout,
    /stopped until 2026-11-16T08:01:00\.000Z: E1003 No such certificate$/mu,
  );
  assert.equal((JSON.parse((await run(`${store} --json`)).stdout) as Shown).stopped, null);
  assert.match((await run('tenant list')).stdout, /on$/mu);
});

test('a wrong certificate or key is refused in one sentence and changes nothing', async () => {
  const { run, file, certificate, key, shown } = await begin();
  const before = await shown();
  const encrypted = own.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' });
  const text = await file('text.pem', 'Не е PEM.\n');
  const wrong: readonly (readonly [certificate: string, key: string, message: RegExp])[] = [
    ['missing.pem', key, /^missing\.pem cannot be read: ENOENT\.$/u],
    [certificate, 'missing.pem', /^missing\.pem cannot be read: ENOENT\.$/u],
    [await file('empty.pem', ''), key, /empty\.pem is empty\.$/u],
    [text, key, /^The certificate is not in PEM/u],
    [certificate, text, /^The private key is not in PEM/u],
    [certificate, await file('encrypted.pem', encrypted.toString()), /encrypted.*openssl pkey/u],
    [certificate, await file('other.pem', other.privateKeyPem), /does not belong to the certificate/u],
  ];
  for (const [certificateFile, keyFile, message] of wrong) {
    const files = `--certificate ${certificateFile} --private-key ${keyFile}`;
    const { exitCode, stdout, stderr } = await run(`tenant set ${ZETA} --name Changed ${files}`);
    assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' }, stderr);
    assert.match(stderr, /^[^\n]+\n$/u);
    assert.match(stderr.trimEnd(), message);
  }
  assert.deepEqual(await shown(), before);
});

test('a setting that is refused leaves the certificate beside it unset too', async () => {
  const { run, store, shown, dataDir } = await begin();
  const { engine, storage } = await openFoundation(readConfig({ DATA_DIR: dataDir }));
  await storage.transaction((tx) => tx.outbound.add(ZETA, newOutbound(), Date.now()));
  await engine.close();
  const before = await shown();
  for (const [setting, message] of [
    ['--environment production', /^The environment stays test, .* 1 document is not over/u],
    ['--eujp-id Ж', /^An EUJP-ID has only Latin letters/u],
  ] as const) {
    const { exitCode, stderr } = await run(`${store} ${setting}`);
    assert.equal(exitCode, 1);
    assert.match(stderr, message);
    assert.deepEqual(await shown(), before);
  }
});

test('the check of an incomplete account fails and names what is missing', async () => {
  const { run, store } = await begin();
  const { exitCode, stdout, stderr } = await run(`tenant check ${ZETA}`);
  assert.deepEqual({ exitCode, stderr }, { exitCode: 1, stderr: '' });
  assert.match(
    stdout,
    /^RESULT +WHAT +DETAIL\nFAILED +an EUJP-ID is set +Not set.*\nFAILED +a certificate is there +There is none.*\nOK +delivery/u,
  );
  await run(store);
  const asJson = await run(`tenant check ${ZETA} --json`);
  assert.equal(asJson.exitCode, 1);
  const { edb, isOk, checks } = JSON.parse(asJson.stdout) as {
    readonly edb: string;
    readonly isOk: boolean;
    readonly checks: readonly { readonly what: string; readonly isOk: boolean }[];
  };
  assert.deepEqual([edb, isOk], [ZETA, false]);
  const failed = checks.filter((check) => !check.isOk).map(({ what }) => what);
  assert.deepEqual(failed, ['an EUJP-ID is set']);
});
