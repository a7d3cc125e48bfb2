import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/process.ts';
import type { Outcome } from './command-line.ts';
import { commandsOnNewDatabase } from './commands-here.ts';

const UID = '01234567-89ab-7def-8123-456789abcdef';
const ALFA = '4030026000018';

/** What is wrong with each call, and what the message must say. */
const WRONG_USE: readonly (readonly [call: string, message: RegExp])[] = [
  ['bogus', /no command "bogus"/u],
  ['tenant', /^Usage: dostava tenant <command>/u],
  ['key bogus', /no command "key bogus"/u],
  ['serve --bogus', /bogus/u],
  ['serve now', /now/u],
  ['migrate now', /Unexpected argument: "now"/u],
  ['migrate --force', /^There is no option --force\.\n\n/u],
  ['key issue --tennant=1', /^There is no option --tennant\.\n\n/u],
  ['key issue -t 1', /^There is no option -t\.\n\n/u],
  ['outbound list --since --until 2027-01-31', /^--since has no value; .* written --since=--until\.\n\n/u],
  ['outbound list --not-imported --limit', /^There is no option --not-imported\.\n\n/u],
  ['tenant list --json=yes', /^--json takes no value\.\n\n/u],
  ['tenant add --name Alfa', /--edb is missing/u],
  [`tenant add --edb ${ALFA}`, /--name is missing/u],
  [`tenant add --edb ${ALFA} --name A --environment live`, /--environment must be test or production/u],
  [`tenant add --edb ${ALFA} --name A --outbound maybe`, /--outbound must be on or off/u],
  [`tenant set ${ALFA} --foreign-currency on`, /--foreign-currency must be yes or no/u],
  [`tenant set ${ALFA} --reverse-charge-rate 20`, /--reverse-charge-rate must be 18, 10, 5/u],
  [`tenant add --edb ${ALFA} --name A --name B`, /--name may be given once/u],
  [`tenant add --edb`, /^--edb has no value\.\n\n/u],
  ['tenant list Alfa', /Unexpected argument: "Alfa"/u],
  ['tenant set --outbound off', /<EDB> is missing/u],
  [`tenant set ${ALFA}`, /Nothing to change/u],
  [`tenant set ${ALFA} --name=`, /^--name is blank\./u],
  [`tenant set ${ALFA} --eujp-id=`, /^--eujp-id is blank\./u],
  [
    `tenant set ${ALFA} --certificate README.md`,
    /--certificate and either --private-key or --signing-command go together/u,
  ],
  [
    `tenant set ${ALFA} --private-key README.md`,
    /--certificate and either --private-key or --signing-command go together/u,
  ],
  ['tenant check', /<EDB> is missing/u],
  ['tenant remove-certificate', /<EDB> is missing/u],
  [`key issue --software x`, /--tenant is missing/u],
  [`key issue --tenant ${ALFA}`, /--software is missing/u],
  [`key issue --tenant ${ALFA} --software=`, /^--software is blank\./u],
  [`key issue --tenant ${ALFA} --software x --allow 127.0.0.1 --allow=`, /^--allow is blank\./u],
  [`key issue --tenant ${ALFA} --software x --expires tomorrow`, /--expires must be a date-time/u],
  [`key issue --tenant ${ALFA} --software x --expires 2027-02-30`, /--expires must be a date-time/u],
  [`key issue --tenant ${ALFA} --software x --rate-limit 0`, /--rate-limit must be a whole number/u],
  [`key issue --tenant ${ALFA} --software x --rate-limit many`, /--rate-limit must be a whole number/u],
  ['key revoke', /<keyId> is missing/u],
  ['key revoke one two', /Unexpected argument: "two"/u],
  ['key renew', /<keyId> is missing/u],
  ['key renew key-1 --overlap-hours -1', /--overlap-hours/u],
  ['key allow', /keyId/u],
  ['key allow key-1', /Give the addresses the key may be used from, or --everywhere/u],
  ['key allow key-1 192.0.2.1 --everywhere', /or --everywhere/u],
  ['key renew key-1 --overlap-hours 99999999999999', /--overlap-hours must be a whole number from 1 to 999999999\./u],
  [`key issue --tenant ${ALFA} --software x --rate-limit 2147483648`, /whole number from 1 to 999999999\./u],
  ['outbound show', /<docUid> is missing/u],
  ['outbound list --number=', /^--number is blank\./u],
  ['outbound list --buyer=', /^--buyer is blank\./u],
  ['outbound retry', /<docUid> is missing/u],
  ['outbound retry --failure-code= --yes', /^--failure-code is blank\./u],
  ['inbound import file.xml', /--tenant is missing/u],
  ['audit --key=', /^--key is blank\./u],
  ['audit --document nonsense', /--document must be a docUid/u],
  ['audit --limit 0', /--limit must be a whole number/u],
  ['audit --since yesterday', /--since must be a date-time/u],
  ['audit --until 25:00', /--until must be a date-time/u],
  ['codelists refresh --environment live', /--environment must be test or production/u],
  ['codelists refresh --type colours', /--type must be one of document-types, .*countries/u],
  ['simulator outage', /<on\|off\|show> is missing/u],
  ['simulator outage now', /"now" must be on, off or show/u],
  ['simulator outage on --kind fire', /--kind must be one of 502-html, refuse, timeout/u],
  ['simulator outage off --kind refuse', /--kind goes with on/u],
  ['simulator outage on --installation live', /--installation must be test or production/u],
];

const REFUSED: readonly (readonly [exitCode: number, call: string, message: RegExp])[] = [
  [1, 'tenant add --edb 123 --name A', /"123" is not an EDB/u],
  [1, 'tenant set 123 --outbound off', /"123" is not an EDB/u],
  [1, `tenant add --edb ${ALFA} --name A --eujp-id \u0430lfa`, /^An EUJP-ID has only Latin letters.* has U\+0430\./u],
  [1, `tenant add --edb ${ALFA} --name A --eujp-id alfa\r\nX-EDB:1`, /^An EUJP-ID has only .* has U\+000D\./u],
  [3, `tenant set ${ALFA} --outbound off`, /no tenant 4030026000018/u],
  [1, `tenant set ${ALFA} --certificate nowhere.pem --private-key README.md`, /nowhere\.pem cannot be read: ENOENT/u],
  [1, `tenant set ${ALFA} --certificate README.md --private-key README.md`, /private key is not in PEM/u],
  [1, 'tenant check 123', /"123" is not an EDB/u],
  [3, `tenant check ${ALFA}`, /no tenant 4030026000018/u],
  [3, `tenant remove-certificate ${ALFA}`, /no tenant 4030026000018/u],
  [3, `key issue --tenant ${ALFA} --software x`, /no tenant 4030026000018/u],
  [3, 'key revoke key-0', /no key key-0/u],
  [3, 'key renew key-0', /no key key-0/u],
  [3, 'key allow key-0 127.0.0.1', /no key key-0/u],
  [1, 'key allow key-0 127.0.0.1/33 nonsense', /127\.0\.0\.1\/33, nonsense/u],
  [1, 'key allow key-0 10.0.0.0/0', /10\.0\.0\.0\/0 would allow all of 0\.0\.0\.0\/0/u],
  [1, 'key allow key-0 10.1.2.3/8', /10\.1\.2\.3\/8 would allow all of 10\.0\.0\.0\/8/u],
  [1, 'key allow key-0 2001:db8::1/32', /would allow all of 2001:db8::\/32/u],
  [3, 'key allow key-0 0.0.0.0/0 ::/0 10.0.0.0/8', /no key key-0/u],
  [3, 'key allow key-0 --everywhere', /no key key-0/u],
  [3, `outbound show ${UID}`, new RegExp(`no outbound document ${UID}`, 'u')],
  [3, 'outbound show nonsense', /no outbound document nonsense/u],
  [3, 'outbound retry nonsense', /no outbound document nonsense/u],
  [3, `outbound retry ${UID}`, new RegExp(`no outbound document ${UID}`, 'u')],
  [3, `inbound import --tenant ${ALFA} README.md`, /no tenant 4030026000018/u],
  [1, 'audit --tenant 123', /"123" is not an EDB/u],
  [1, 'codelists refresh', /No tenant of the environment test/u],
];

test('a command that is called wrongly ends with 2, says what is wrong and shows its help', async (t) => {
  const run = await commands();
  for (const [call, message] of WRONG_USE) {
    await t.test(call, async () => {
      const { exitCode, stdout, stderr } = await run(call);
      assert.deepEqual({ exitCode, stdout }, { exitCode: 2, stdout: '' }, stderr);
      assert.match(stderr, message);
      assert.match(stderr, /Usage: dostava/u);
    });
  }
});

test('a refused command ends with 1, or with 3 where something does not exist, and says why in one sentence', async (t) => {
  const run = await commands();
  for (const [expected, call, message] of REFUSED) {
    await t.test(call, async () => {
      const { exitCode, stdout, stderr } = await run(call);
      assert.deepEqual({ exitCode, stdout }, { exitCode: expected, stdout: '' }, stderr);
      assert.match(stderr, message);
      assert.match(stderr, /^[^\n]+\n$/u);
    });
  }
});

test('a file whose name would drive the terminal is named in an error so that it does not', async () => {
  const { json, refusal } = await commandsOnNewDatabase();
  await json('tenant', 'add', '--edb', ALFA, '--name', 'Alfa');
  // As others may put it into a folder from which all files are imported.
  const file = join(temporaryFolder(), 'a\u001b]0;b\u0007\u009b2J\u202e.xml');
  writeFileSync(file, '');
  const [exitCode, message] = await refusal('inbound', 'import', '--tenant', ALFA, file);
  assert.equal(exitCode, 1);
  assert.match(message, /\/a\ufffd\]0;b\ufffd\ufffd2J\ufffd\.xml is empty\.\n$/u);
});

test('with --json, before the command or behind it, an error is JSON', async () => {
  const { refusal, run } = await commandsOnNewDatabase();
  const [[usage, wrongUse], [notFound, missing], [noCommand, unknown], listed] = await Promise.all([
    refusal('key', 'issue', '--json'),
    refusal('--json', 'key', 'revoke', 'key-0'),
    refusal('--json', 'bogus'),
    run('--json', 'key', 'list'),
  ]);
  assert.deepEqual([usage, JSON.parse(wrongUse)], [2, { error: '--tenant and --software are missing.' }]);
  assert.deepEqual([notFound, JSON.parse(missing)], [3, { error: 'There is no key key-0.' }]);
  assert.deepEqual([noCommand, JSON.parse(unknown)], [2, { error: 'There is no command "bogus".' }]);
  assert.deepEqual([listed.exitCode, JSON.parse(listed.stdout)], [0, []]);
});

test('--json before the command is neither a value of its last option nor one of its arguments', async () => {
  const { refusal, run } = await commandsOnNewDatabase();
  const said = async (...words: readonly string[]) => JSON.parse((await refusal('--json', ...words))[1]) as unknown;
  assert.deepEqual(await said('audit', '--tenant'), { error: '--tenant has no value.' });
  assert.deepEqual(await said('tenant', 'list', '--', 'Alfa'), { error: 'Unexpected argument: "Alfa".' });
  assert.deepEqual(await said('key', 'allow', '--', 'key-0'), {
    error: 'Give the addresses the key may be used from, or --everywhere.',
  });
  assert.deepEqual(await said('serve', 'now'), { error: 'Unexpected argument: "now".' });
  assert.deepEqual(await said('tenant'), { error: 'There is no command "tenant".' });
  assert.match((await refusal('--json', 'completion', 'bash'))[1], /^Prints a script/u);
  for (const words of [
    ['--json', '--version'],
    ['--version', '--json'],
  ]) {
    assert.deepEqual(JSON.parse((await run(...words)).stdout), { version: '1.2.3' });
  }
});

test('--json given several times, also within the name of a command, is as once', async () => {
  const { refusal, run } = await commandsOnNewDatabase();
  for (const call of ['--json --json key list', 'key --json list', '--json key --json list --json --json']) {
    const { exitCode, stdout, stderr } = await run(...call.split(' '));
    assert.deepEqual([exitCode, stderr, JSON.parse(stdout || 'null')], [0, '', []], call);
  }
  for (const call of ['--json --json --version', '--version --json --json']) {
    assert.deepEqual(JSON.parse((await run(...call.split(' '))).stdout), { version: '1.2.3' }, call);
  }
  const said = async (call: string) => JSON.parse((await refusal(...call.split(' ')))[1]) as unknown;
  assert.deepEqual(await said('--json --json serve now'), { error: 'Unexpected argument: "now".' });
  assert.deepEqual(await said('--json --json key bogus'), { error: 'There is no command "key bogus".' });
  assert.deepEqual(await said('--json --json audit --tenant'), { error: '--tenant has no value.' });
  assert.deepEqual(await said('audit --tenant --json'), {
    error: '--tenant has no value; one that begins with a hyphen is written --tenant=--json.',
  });
});

async function commands(): Promise<(call: string) => Promise<Outcome>> {
  const { run } = await commandsOnNewDatabase();
  return (call) => run(...call.split(' '));
}
