import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: { readonly start: string };
};

/** The flags of `npm start`, so that what is measured is what runs. */
const FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** Starts a program of this folder as a process of its own. */
export function startChild(name: string): ChildProcess {
  return fork(new URL(`./${name}.ts`, import.meta.url), { execArgv: FLAGS });
}
