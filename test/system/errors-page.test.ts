import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PROBLEM_CATALOGUE } from '../../src/application/errors/problem-catalogue.ts';
import { until } from '../support/process.ts';
import { startTestService, WITH_BACKGROUND } from '../support/service.ts';
import { runningClock } from '../support/test-clock.ts';
import { CANNOT_PASTE, commandsOf, paste, pasteEach } from './bash.ts';
import { bashBlocks } from './markdown.ts';

const ERRORS_PAGE = new URL('../../docs/errors.md', import.meta.url);
const README = new URL('../../README.md', import.meta.url);
const PRINTED_BASE = 'http://127.0.0.1:8080';
/** Longer than the tour takes up to the document that it lets go, on any machine. */
const HOLD_SECONDS = 3_600;
/** Installing and starting are done already where the tour is pasted. */
const SET_UP = /^npm (?:ci|install|start)\b/u;
const PROBLEM = /"code"\s*:\s*(?:null|"(ERR-\d{4})")\s*,\s*"eventId"/gu;

type Problem = { readonly type: string; readonly title: string; readonly status: number; readonly code: string };

test('what the pages invite to paste works as they say', { skip: CANNOT_PASTE }, async (t) => {
  const clock = runningClock();
  const service = await startTestService({
    clock,
    variables: { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: String(HOLD_SECONDS), COLLECT_SECONDS: '1' },
  });
  t.after(service.stop);

  /** Nobody waits for the end of the hold-back: it comes when the document that the tour lets go is there. */
  async function endHoldBack(): Promise<void> {
    const { engine } = service.foundation;
    const submitted = `select 1 from outbound where document_number like 'TOUR-%-2' and status = 10`;
    await until('the second document of the tour', () => engine.get(submitted, []));
    clock.advance(HOLD_SECONDS * 1_000);
  }

  await t.test('the tour of README.md, line by line, and again after its keys are forgotten', async (t) => {
    const blocks = bashBlocks(readFileSync(README, 'utf8')).filter(({ heading }) => /tour/iu.test(heading));
    assert.notEqual(blocks.length, 0, 'README.md has no commands under a heading that says "tour"');
    const steps = blocks.flatMap(({ introduction, script }) => announced(introduction, commandsOf(script)));
    const commands = steps.map(({ command }) => command.replaceAll(PRINTED_BASE, service.url));
    for (const time of ['first', 'second']) {
      const [pasted] = await Promise.all([pasteEach(t, commands), endHoldBack()]);
      for (const [index, { command, exitCode, output }] of pasted.entries()) {
        assert.equal(exitCode, 0, `the ${time} time: ${command}`);
        const expected = steps[index]?.code ?? null;
        const problems = [...output.matchAll(PROBLEM)].map(([, code = null]) => code);
        assert.deepEqual(problems, expected === null ? [] : [expected], `${command}\n${output}`);
      }
      const outputs = pasted.map(({ output }) => output).join('\n');
      assert.match(outputs, /"status":40/u);
    }
  });

  await t.test('docs/errors.md has a command for each of the 26 codes', async (t) => {
    const blocks = bashBlocks(readFileSync(ERRORS_PAGE, 'utf8'));
    assert.equal(blocks.length, 26);
    assert.deepEqual(blocks.map(({ heading }) => heading).toSorted(), Object.keys(PROBLEM_CATALOGUE).toSorted());

    for (const { heading: code, script } of blocks) {
      await t.test(`which shows ${code}`, async (t) => {
        assert.ok(script.includes(PRINTED_BASE));
        const printed = await paste(t, script.replaceAll(PRINTED_BASE, service.url));
        const problem = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as Problem;
        assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'detail', 'code', 'eventId']);
        const { status, title } = PROBLEM_CATALOGUE[code as keyof typeof PROBLEM_CATALOGUE];
        const { type } = problem;
        assert.deepEqual(
          { code: problem.code, status: problem.status, title: problem.title, type },
          { code, status, title, type: `${service.url}/errors/${code}` },
        );
        const page = await fetch(type);
        assert.equal(page.status, 200);
        assert.ok((await page.text()).includes(code));
      });
    }
  });
});

/** Each command with the code that the line before it announces: a comment, or the text above the block. */
function announced(introduction: string, commands: readonly string[]) {
  return commands
    .map((command, index) => {
      const before = commands[index - 1];
      return { command, line: before?.startsWith('#') ? before : introduction };
    })
    .filter(({ command }) => !command.startsWith('#') && !SET_UP.test(command))
    .map(({ command, line }) => ({ command, code: /ERR-\d{4}/u.exec(line)?.[0] ?? null }));
}
