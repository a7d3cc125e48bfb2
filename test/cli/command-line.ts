import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Finished, startDostava, type Variables } from '../support/process.ts';

export type Outcome = Pick<Finished, 'exitCode' | 'stdout' | 'stderr'>;

export type CommandLine = {
  readonly run: (...words: string[]) => Promise<Outcome>;
  /** What the command prints with --json. It must succeed and complain of nothing. */
  readonly json: <Shape>(...words: string[]) => Promise<Shape>;
  /** What a command that must fail says, and its exit code. */
  readonly refusal: (...words: string[]) => Promise<readonly [exitCode: number | null, stderr: string]>;
};

/** The operator's command line, every command as a process of its own. */
export function commandLine(t: TestContext, variables: Variables): CommandLine {
  return commandLineOver((...words) => startDostava(t, words, variables).finished());
}

export function commandLineOver(run: CommandLine['run']): CommandLine {
  return {
    run,
    async json<Shape>(...words: string[]) {
      const { exitCode, stdout, stderr } = await run(...words, '--json');
      assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' }, words.join(' '));
      return JSON.parse(stdout) as Shape;
    },
    async refusal(...words) {
      const { exitCode, stdout, stderr } = await run(...words);
      assert.equal(stdout, '', `${words.join(' ')} prints a result`);
      assert.doesNotMatch(stderr, /^\s+at /mu, `${words.join(' ')} prints a stack trace`);
      return [exitCode, stderr];
    },
  };
}
