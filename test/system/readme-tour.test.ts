import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startService, temporaryFolder } from '../support/process.ts';
import { CANNOT_PASTE, commandsOf, pasteEach } from './bash.ts';
import { bashBlocks } from './markdown.ts';

const README = new URL('../../README.md', import.meta.url);
const PRINTED_BASE = 'http://127.0.0.1:8080';
/** Installing and starting are done already where the tour is pasted. */
const SET_UP = /^npm (?:ci|install|start)\b/u;
const PROBLEM = /"code"\s*:\s*(?:null|"(ERR-\d{4})")\s*,\s*"eventId"/gu;

test('the tour of README.md, pasted line by line, works', { skip: CANNOT_PASTE }, async (t) => {
  const readme = existsSync(README) ? readFileSync(README, 'utf8') : '';
  const blocks = bashBlocks(readme).filter(({ heading }) => /tour/iu.test(heading));
  if (blocks.length === 0) return t.skip('README.md has no section with commands under a heading that says "tour"');
  const service = await startService(t, { DATA_DIR: temporaryFolder() });
  const steps = blocks.flatMap(({ introduction, script }) => announced(introduction, commandsOf(script)));
  const commands = steps.map(({ command }) => command.replaceAll(PRINTED_BASE, service.url));
  const pasted = await pasteEach(t, commands, {});
  for (const [index, { command, exitCode, output }] of pasted.entries()) {
    assert.equal(exitCode, 0, command);
    const expected = steps[index]?.code ?? null;
    const problems = [...output.matchAll(PROBLEM)].map(([, code = null]) => code);
    assert.deepEqual(problems, expected === null ? [] : [expected], `${command}\n${output}`);
  }
});

/** Each command with the code that the line before it announces: a comment, or the text above the block. */
function announced(introduction: string, commands: readonly string[]) {
  return commands
    .map((command, index) => ({
      command,
      line: commands[index - 1]?.startsWith('#') ? commands[index - 1] : introduction,
    }))
    .filter(({ command }) => !command.startsWith('#') && !SET_UP.test(command))
    .map(({ command, line = '' }) => ({ command, code: /ERR-\d{4}/u.exec(line)?.[0] ?? null }));
}
