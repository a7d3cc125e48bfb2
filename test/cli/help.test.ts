import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Outcome } from './command-line.ts';
import { commandsHere } from './commands-here.ts';

const EXPECTED = [
  ...[
    'init',
    'migrate',
    'tenant add',
    'tenant list',
    'tenant set',
    'tenant check',
    'tenant remove-certificate',
    'credentials reseal',
  ],
  ...['key issue', 'key list', 'key revoke', 'key renew', 'key allow'],
  ...['operator add', 'operator list', 'operator remove', 'operator password'],
  ...['outbound list', 'outbound show', 'outbound sent', 'outbound retry', 'outbound void'],
  ...['inbound list', 'inbound import', 'inbound problems'],
  ...['audit verify', 'audit seal', 'audit', 'codelists refresh', 'authority probe'],
  ...['references refused', 'references clear', 'simulator outage'],
  ...['archive verify', 'archive', 'backup', 'restore', 'check', 'hold', 'release', 'reconcile', 'migrate-store'],
];

/** The options without which a command is wrong use, as its usage shows them. */
const REQUIRED: Readonly<Record<string, string>> = {
  'tenant add': '--edb <EDB> --name <name>',
  'key issue': '--tenant <EDB> --software <name>',
  'outbound void': '--reason <code>',
  'inbound import': '--tenant <EDB>',
  'authority probe': '--tenant <EDB>',
  archive: '--before <date>',
  backup: '--to <file>',
  restore: '--from <file>',
  reconcile: '--since <time>',
  'migrate-store': '--from <folder>',
};

/** The worst configuration there is: a command that looked at it would fail. */
const NO_CONFIGURATION = { ENVIRONMENT: 'nonsense', DATA_DIR: '/dev/null/nowhere' };

test('the general help needs no configuration and names every command, however it is asked for', async () => {
  const run = commands();
  const { stdout } = await run('--help');
  for (const call of ['', '-h', 'help']) assert.deepEqual(await run(call), { exitCode: 0, stdout, stderr: '' });
  for (const name of ['serve', ...EXPECTED]) assert.match(stdout, new RegExp(`^  ${name} +[A-Z].*\\.$`, 'mu'));
  assert.match(stdout, /--json/u);
  const names = COMMANDS.map(({ name }) => name);
  assert.deepEqual(names, EXPECTED);
});

test('the help of every command needs no configuration and explains its use and each of its options', async () => {
  const run = commands();
  for (const { name, summary, positionals, options } of COMMANDS) {
    const { exitCode, stdout, stderr } = await run(`${name} --help`);
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    const words = ['Usage: dostava', name, positionals, REQUIRED[name] ?? '', '[options]'];
    const usage = words.filter((part) => part !== '').join(' ');
    assert.ok(stdout.startsWith(`${summary}\n\n${usage}\n`), stdout);
    for (const option of [...Object.keys(options), 'json', 'help']) {
      assert.match(stdout, new RegExp(`^  --${option}(?: <[^>]+>)? +[A-Z].*\\.$`, 'mu'));
    }
  }
  for (const call of ['serve --help', 'serve --json --help']) {
    const { exitCode, stdout } = await run(call);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^Usage: dostava serve \[options\]$/mu);
    for (const option of ['json', 'help']) assert.match(stdout, new RegExp(`^  --${option} +[A-Z].*\\.$`, 'mu'));
  }
});

test('a command without its arguments and required options needs no configuration to name them all', async () => {
  const run = commands();
  for (const [name, usage] of Object.entries(REQUIRED)) {
    const options = [...usage.matchAll(/--[\w-]+/gu)].map(([option]) => option);
    const { exitCode, stdout, stderr } = await run(name);
    assert.deepEqual({ exitCode, stdout }, { exitCode: 2, stdout: '' });
    const [message = ''] = stderr.split('\n', 1);
    const [argument = []] = COMMANDS.find((one) => one.name === name)?.positionals.match(/^<[^>]+>/u) ?? [];
    const missing = [argument, options].flat();
    assert.equal(message, `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing.`);
    for (const option of options) assert.match(stderr, new RegExp(`^  ${option} <[^>]+> +Required\\. [A-Z]`, 'mu'));
  }
});

test('the help of a change speaks of no defaults: what is not named stays as it is', async () => {
  const run = commands();
  assert.match((await run('tenant add --help')).stdout, /--environment <test\|production> +\S.* Default: test\.$/mu);
  const { stdout } = await run('tenant set --help');
  assert.match(stdout, /^Changes a taxpayer.* What is not named stays as it is\.$/mu);
  assert.doesNotMatch(stdout, /Default/u);
});

test('a group alone shows its commands, and --version the version', async () => {
  const run = commands();
  const { exitCode, stdout, stderr } = await run('key');
  assert.deepEqual([exitCode, stdout], [2, '']);
  assert.match(stderr, /^Usage: dostava key <command>/u);
  const listed = [...stderr.matchAll(/^ {2}(\S+ \S+) {2}/gmu)].map(([, name]) => name);
  assert.deepEqual(
    listed,
    EXPECTED.filter((name) => name.startsWith('key ')),
  );
  assert.deepEqual(await run('key --help'), { exitCode: 0, stdout: stderr, stderr: '' });
  assert.match((await run('key nonsense')).stderr, /^There is no command "key nonsense"\.\n\nUsage: dostava key/u);
  assert.deepEqual(await run('--version'), { exitCode: 0, stdout: 'dostava 1.2.3\n', stderr: '' });
});

function commands(): (call: string) => Promise<Outcome> {
  const { run } = commandsHere(NO_CONFIGURATION);
  return (call) => run(...call.split(' ').filter((word) => word !== ''));
}
