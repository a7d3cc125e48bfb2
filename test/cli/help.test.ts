import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { commandLine } from './command-line.ts';
import { commandsHere } from './commands-here.ts';

const EXPECTED = [
  ...['migrate', 'tenant add', 'tenant list', 'tenant set', 'tenant check'],
  ...['key issue', 'key list', 'key revoke', 'key renew', 'key allow'],
  ...['outbound show', 'outbound retry', 'inbound import', 'audit', 'codelists refresh', 'simulator outage'],
  ...['archive verify', 'archive', 'backup', 'restore', 'migrate-store'],
];

test('help needs no configuration and no data', async (t) => {
  // The worst configuration there is: a command that looked at it would fail.
  const { run } = commandLine(t, { ENVIRONMENT: 'nonsense', DATA_DIR: '/dev/null/nowhere' });
  const answers = await Promise.all([run(), run('key', 'issue', '--help')]);
  for (const { exitCode, stderr } of answers) assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  const [general, ofCommand] = answers.map(({ stdout }) => stdout);
  assert.match(general ?? '', /Usage: dostava <command>/u);
  assert.match(ofCommand ?? '', /Usage: dostava key issue \[options\]/u);
});

test('the general help names every command, however it is asked for', async (t) => {
  const run = await commandsHere(t);
  const { out } = await run('--help');
  for (const call of ['-h', 'help', 'tenant --help'])
    assert.deepEqual(await run(call), { exitCode: 0, out, error: '' });
  for (const name of ['serve', ...EXPECTED]) assert.match(out, new RegExp(`^  ${name} +[A-Z].*\\.$`, 'mu'));
  assert.match(out, /--json/u);
  const names = COMMANDS.map(({ name }) => name);
  assert.deepEqual(names, EXPECTED);
});

test('every command explains its use and each of its options', async (t) => {
  const run = await commandsHere(t);
  for (const { name, summary, positionals, options } of COMMANDS) {
    const { exitCode, out, error } = await run(`${name} --help`);
    assert.deepEqual({ exitCode, error }, { exitCode: 0, error: '' });
    const usage = ['Usage: dostava', name, positionals, '[options]'].filter((part) => part !== '').join(' ');
    assert.ok(out.startsWith(`${summary}\n\n${usage}\n`), out);
    for (const option of [...Object.keys(options), 'json', 'help']) {
      assert.match(out, new RegExp(`^  --${option}(?: <[^>]+>)? +[A-Z].*\\.$`, 'mu'));
    }
  }
  assert.match((await run('serve --help')).out, /Usage: dostava serve/u);
});
