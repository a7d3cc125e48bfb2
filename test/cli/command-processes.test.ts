import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import {
  freePort,
  PROJECT,
  QUICK_START,
  startProgram,
  startService,
  temporaryFolder,
  until,
  type Variables,
} from '../support/process.ts';
import { operatorBeside } from '../system/operator-beside.ts';
import { commandLine, type Outcome } from './command-line.ts';

const ALFA = '4030026000018';
const ZETA = '4044026000055';
const UID = '01234567-89ab-7def-8123-456789abcdef';
const PASSWORD = /\S{12,}/u;
const KEY_ROW = 'KEY ID +TENANT +SOFTWARE .*\\nkey-';
const ISSUED = /^(?<secret>dostava_\w+)\n\nThis is the only time the key is shown\. Key id: (?<keyId>key-\w+)\n$/u;

type Call = readonly [words: readonly string[], expected: Expected];
type Expected = { readonly exitCode: number; readonly stdout: RegExp; readonly stderr: RegExp };

const NOTHING = /^$/u;
const PROGRESS = /^(?:copying|checking|verifying) [\w ]+: \d+ of \d+ /u;
const prints = (stdout: RegExp): Expected => ({ exitCode: 0, stdout, stderr: NOTHING });
const complains = (exitCode: number, stderr: RegExp): Expected => ({ exitCode, stdout: NOTHING, stderr });

test('every command works beside a running service on the same database', async (t) => {
  const variables = { DATA_DIR: temporaryFolder(), SIMULATOR_PORT: String(await freePort()), AUTHORITY_PACE_MS: '0' };
  const service = await startService(t, variables);
  const { run, runInTurn, walked } = recorded(t, variables);
  const backup = join(temporaryFolder(), 'dostava.backup');
  const archive = join(temporaryFolder(), 'archive');
  const invoice = join(PROJECT, 'docs/examples/invoice.xml');

  const keyIssue = ['key', 'issue', '--tenant', ALFA, '--software', 'ledger'];
  const [{ stdout }] = await Promise.all([
    run(keyIssue, prints(ISSUED)),
    run(['tenant', 'add', '--edb', ZETA, '--name', 'Zeta'], prints(new RegExp(`^EDB .*\\n${ZETA} +Zeta .*\\n$`, 'u'))),
  ]);
  const { secret = '', keyId = '' } = ISSUED.exec(stdout)?.groups ?? {};
  assert.equal((await service.call(secret, '/ping')).status, 200);
  // By itself, because it closes the database at its end: at the end of all, nobody may have it open.
  await t.test('a call is in the audit trail soon after its answer', async (t) => {
    const operator = await operatorBeside(t, variables);
    const ofKey = { tenant: null, keyId, docUid: null, since: null, until: null, limit: 1 };
    await until('the entry', async () => (await operator.readAudit(ofKey)).length === 1);
  });

  const archived = /^0 documents were written, 0 were in the archive already\.\n0 volumes/u;
  const checked = /^RESULT +WHAT +DETAIL\n(?:OK .*\n)+NOT TESTED .*without accepting a document\.\n$/u;
  const inTurn: readonly Call[] = [
    [['init'], prints(/^There is a database already\.\n$/u)],
    [['migrate'], prints(/^The tables are up to date\.\n$/u)],
    [['tenant', 'list'], prints(/^EDB +NAME .*\n(?:\d{13} .*\n){5}$/u)],
    [['tenant', 'set', ZETA, '--outbound', 'off'], prints(/ +Zeta +test +off .*\n$/u)],
    [
      ['credentials', 'reseal'],
      {
        ...prints(/^0 private keys were sealed anew, 4 were sealed with the current key already\.\n/u),
        stderr: /^sealing private keys: 0 of 4 keys, 0 %\n/u,
      },
    ],
    [['tenant', 'remove-certificate', ZETA], complains(1, /^The tenant \d{13} has no certificate\.\n$/u)],
    [['key', 'list', '--tenant', ALFA], prints(new RegExp(`^${KEY_ROW}`, 'u'))],
    [['key', 'allow', keyId, '127.0.0.1'], prints(new RegExp(`^${KEY_ROW}.* 127\\.0\\.0\\.1 +600\\n$`, 'u'))],
    [['outbound', 'list'], prints(/^DOCUID .*\n(?:[0-9a-f-]{36} .*\n)+$/u)],
    [['outbound', 'show', UID], complains(3, /^There is no outbound document 01234567.*\n$/u)],
    [['outbound', 'sent', UID], complains(3, /^There is no outbound document 01234567.*\n$/u)],
    [['outbound', 'retry', UID], complains(3, /^There is no outbound document 01234567.*\n$/u)],
    [['outbound', 'void', UID, '--reason', 'S-1'], complains(3, /^There is no outbound document 01234567.*\n$/u)],
    [['references', 'refused'], prints(/^There are none\.\n$/u)],
    [['references', 'clear', '100'], complains(3, /^No refusal of references on documents of type 100 .*\n$/u)],
    [['inbound', 'list', '--tenant', ZETA], prints(/^DOCUID .*\n[0-9a-f-]{36} .*\n$/u)],
    [['inbound', 'problems', '--tenant', ZETA], prints(/^There are none\.\n$/u)],
    [['audit', 'seal'], prints(/^\{"seals":\[\{"chain":"recognised",.*\]\}\n$/u)],
    [
      ['audit', 'verify'],
      { ...prints(/^\d+ entr(?:y|ies) in \d+ blocks? (?:is as it was|are as they were) sealed/u), stderr: PROGRESS },
    ],
    [['audit', '--key', keyId], prints(/^AT +TENANT .*\n.* GET +\S+\/ping .*\n$/u)],
    [['codelists', 'refresh', '--type', 'currencies'], prints(/^LIST +ENTRIES\ncurrencies +\d+\n$/u)],
    [
      ['authority', 'probe', '--tenant', ALFA],
      {
        ...prints(/^(?:OK .*\n)+\d+ services: 0 deviate, 0 failed, \d were not tried\.\n$/u),
        stderr: /^1 of \d+: server-time /u,
      },
    ],
    [['simulator', 'outage', 'show'], prints(/^test works\.\n$/u)],
    [['archive', '--before', '2017-01-01', '--to', archive], prints(archived)],
    [['operator', 'add', 'vera', '--role', 'viewer', '--generate'], prints(PASSWORD)],
    [['operator', 'password', 'vera', '--generate'], prints(PASSWORD)],
    [['operator', 'list'], prints(/^NAME +ROLE +CREATED\n(?:\w+ +(?:operator|viewer) .*\n){2}$/u)],
    [['operator', 'remove', 'vera'], prints(/vera/u)],
    [['hold', '--reason', 'an audit'], prints(/^Nothing is sent from now on: an audit\.\n$/u)],
    [['release'], prints(/^Documents are sent again\.\n$/u)],
    [['key', 'renew', keyId], prints(ISSUED)],
    [['key', 'revoke', keyId], prints(new RegExp(KEY_ROW, 'u'))],
    [['check'], { ...prints(/^\d+ files, .*\nNothing is damaged\.\n$/u), stderr: PROGRESS }],
    // The demo has a taxpayer whose authority is always out of order.
    [
      ['reconcile', '--since', '2026-01-01'],
      {
        exitCode: 1,
        stdout: /\n\d+ registrations? (?:was|were) compared, .*\nNot complete/u,
        stderr: /^listing taxpayer 1 of \d+ \(\d{13}\): 0 of \d+ lists?, 0 %\n/u,
      },
    ],
  ];
  const apart: readonly Call[] = [
    [['tenant', 'check', ALFA], prints(checked)],
    [['archive', 'verify', archive], complains(3, /^There is no archive .*\n$/u)],
    [['migrate-store', '--from', variables.DATA_DIR, '--to', 'postgres://nowhere/x'], complains(1, /is in use: stop/u)],
    [['backup', '--to', backup], { ...prints(/^\S+: \d+ bytes, SHA-256 [0-9a-f]{64}\n/u), stderr: PROGRESS }],
  ];
  await run(['inbound', 'import', '--tenant', ZETA, invoice], prints(/^FILE .*\n.* ubl +new\n$/u));
  await runInTurn(inTurn);
  for (const [words, expected] of apart) await run(words, expected);

  assert.equal((await service.call('demo-alfa', '/ping')).status, 200);
  await service.stop();
  const restored = /^\S+: \d+ outbound and \d+ inbound documents.*\nThe backup matches its checksum\.\n/u;
  await run(['restore', '--from', backup, '--force'], { ...prints(restored), stderr: PROGRESS });
  assert.deepEqual(walked().toSorted(), COMMANDS.map(({ name }) => name).toSorted());
});

/**
 * Runs commands, compares what they print with what is expected, and notes which commands they were. Each tool of src/main.ts has a
 * process of its own, and so has one command of each kind: on the database alone, with a reading thread, with a call of the authority.
 * The others share one process, which must end by itself.
 */
function recorded(t: TestContext, variables: Variables) {
  const calls: string[] = [];
  const { run } = commandLine(t, variables);
  function compare(words: readonly string[], { exitCode, stdout, stderr }: Expected, outcome: Outcome) {
    calls.push(words.join(' '));
    assert.equal(outcome.exitCode, exitCode, `${words.join(' ')}: ${outcome.stderr}`);
    assert.match(outcome.stdout, stdout, words.join(' '));
    assert.match(outcome.stderr, stderr, words.join(' '));
    return outcome;
  }
  return {
    walked: () => calls.map((call) => COMMANDS.find(({ name }) => `${call} `.startsWith(`${name} `))?.name ?? call),
    run: async (words: readonly string[], expected: Expected) => compare(words, expected, await run(...words)),
    async runInTurn(given: readonly Call[]) {
      const list = JSON.stringify(given.map(([words]) => words));
      const args = [...QUICK_START, 'test/cli/commands-in-turn.ts', list];
      const { exitCode, stdout, stderr } = await startProgram(t, process.execPath, args, variables).finished();
      assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
      const outcomes = stdout.trimEnd().split('\n');
      assert.equal(outcomes.length, given.length);
      for (const [index, [words, expected]] of given.entries()) {
        compare(words, expected, JSON.parse(outcomes[index] ?? '') as Outcome);
      }
    },
  };
}

test('the process gives help without a look at its configuration', async (t) => {
  // The worst configuration there is: a command that looked at it would fail.
  const { run } = commandLine(t, { ENVIRONMENT: 'nonsense', DATA_DIR: '/dev/null/nowhere' });
  const { exitCode, stdout, stderr } = await run();
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  assert.match(stdout, /Usage: dostava <command>/u);
});

test('the process ends with 2 when there is no such command, and says so on standard error', async (t) => {
  const [exitCode, message] = await commandLine(t, { DATA_DIR: temporaryFolder() }).refusal('bogus');
  assert.equal(exitCode, 2);
  assert.match(message, /^There is no command "bogus"\.\n\ndostava: /u);
});

test('a command tells what is wrong with the configuration before it touches anything', async (t) => {
  const dataDir = temporaryFolder();
  const { refusal } = commandLine(t, { DATA_DIR: dataDir, ENVIRONMENT: 'production', LOG_LEVEL: 'loud' });
  const [exitCode, stderr] = await refusal('tenant', 'list');
  assert.equal(exitCode, 1);
  const names = ['PUBLIC_URL', 'AUTHORITY_PRODUCTION_URL', 'CREDENTIALS_KEY', 'LOG_LEVEL'];
  for (const name of names) assert.ok(stderr.includes(`- ${name}:`));
  assert.doesNotMatch(stderr, /loud/u);
  assert.deepEqual(readdirSync(dataDir), []);
});
