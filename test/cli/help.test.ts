import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { commandLine } from './command-line.ts';

const EXPECTED = [
  ...['migrate', 'tenant add', 'tenant list', 'tenant set'],
  ...['key issue', 'key list', 'key revoke', 'key renew', 'key allow'],
  ...['outbound show', 'outbound retry', 'inbound import', 'audit', 'codelists refresh'],
];

test('help needs no configuration and no data', async (t) => {
  // The worst configuration there is: a command that looked at it would fail.
  const { run } = commandLine(t, { ENVIRONMENT: 'nonsense', DATA_DIR: '/dev/null/nowhere' });

  async function help(...words: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await run(...words);
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' }, words.join(' '));
    return stdout;
  }

  await t.test('the general help names every command, however it is asked for', async () => {
    const [general, ...others] = await Promise.all([help(), help('--help'), help('-h'), help('help')]);
    for (const other of others) assert.equal(other, general);
    for (const name of ['serve', ...EXPECTED]) assert.match(general, new RegExp(`^  ${name} +[A-Z].*\\.$`, 'mu'));
    assert.match(general, /--json/u);
    assert.deepEqual(
      COMMANDS.map(({ name }) => name),
      EXPECTED,
    );
  });

  await t.test('every command explains its use and each of its options', async () => {
    const texts = await Promise.all(COMMANDS.map(({ name }) => help(...name.split(' '), '--help')));
    for (const [index, command] of COMMANDS.entries()) {
      const text = texts[index] ?? '';
      assert.ok(text.startsWith(`${command.summary}\n\nUsage: dostava ${command.name}`), text);
      assert.ok(text.includes(command.positionals));
      for (const option of [...Object.keys(command.options), 'json', 'help']) {
        assert.match(text, new RegExp(`^  --${option}(?: <[^>]+>)? +[A-Z].*\\.$`, 'mu'));
      }
    }
    assert.match(await help('serve', '--help'), /Usage: dostava serve/u);
  });
});
