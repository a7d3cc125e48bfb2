import assert from 'node:assert/strict';
import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { completionScript, SHELLS } from '../../src/cli/completion/completion-script.ts';
import { commandsHere } from './commands-here.ts';

/** Without a pipe for its input: bash would take that for a connection, and run what its user has it do at a log-in. */
const NO_INPUT: SpawnSyncOptionsWithStringEncoding = { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };

const isHere = (shell: string) => spawnSync(shell, ['-c', 'true'], NO_INPUT).status === 0;

/** What bash offers after these words; the last one is being typed. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `${completionScript('bash', COMMANDS)}
COMP_WORDS=(dostava ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_dostava; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], NO_INPUT);
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter((line) => line !== '');
}

test('bash completes commands, their groups and their options', {
  skip: isHere('bash') ? false : 'there is no bash here',
}, () => {
  assert.ok(['serve', 'tenant', 'outbound', 'completion', '--version'].every((word) => offered('').includes(word)));
  assert.deepEqual(offered('ke'), ['key']);
  assert.deepEqual(
    offered('key', ''),
    COMMANDS.flatMap(({ name }) => (name.startsWith('key ') ? name.slice(4) : [])),
  );
  assert.deepEqual(offered('outbound', 'retry', '--f'), ['--failure-code']);
  assert.deepEqual(offered('outbound', 'retry', '--failure-code', 'X', '--si'), ['--since']);
  assert.ok(offered('audit', '').includes('verify') && offered('audit', '').includes('--json'));
  assert.deepEqual(offered('completion', ''), [...SHELLS]);
  assert.deepEqual(offered('serve', ''), ['--json', '--help']);
});

for (const shell of SHELLS) {
  test(`${shell} can read its script`, { skip: isHere(shell) ? false : `there is no ${shell} here` }, () => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: completionScript(shell, COMMANDS), encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });
}

test('each shell has a script with every command; another one is refused', async () => {
  const { run } = commandsHere();
  for (const shell of SHELLS) {
    const { exitCode, stdout } = await run('completion', shell);
    assert.equal(exitCode, 0);
    for (const { name, options } of COMMANDS) {
      assert.ok(stdout.includes(name), name);
      for (const option of Object.keys(options)) assert.ok(stdout.includes(`--${option}`), option);
    }
  }
  const { exitCode, stderr } = await run('completion', 'tcsh');
  assert.equal(exitCode, 2);
  assert.match(stderr, /bash\|zsh\|fish/u);
});
