import { type ChildProcess, fork } from 'node:child_process';
import { START_FLAGS } from '../bin/start-flags.js';

/** Starts a program of this folder as a process of its own. */
export function startChild(name: string): ChildProcess {
  return fork(new URL(`./${name}.ts`, import.meta.url), { execArgv: [...START_FLAGS] });
}
