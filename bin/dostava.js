#!/usr/bin/env node
// Written so that every Node since version 16 can read it and an old one is told what is missing.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from './start-flags.js';

const OLDEST_NODE = 24;
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

if (process.execve === undefined || Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  const { execPath, versions } = process;
  process.stderr.write(`Dostava needs Node ${OLDEST_NODE} or newer. This is Node ${versions.node}: ${execPath}\n`);
  process.exitCode = 1;
} else {
  // The program takes the place of this process: it has its id and its terminal, gets its signals, and ends with an exit code
  // of its own. Flags that were given to Node by hand come last, so they win.
  const args = [process.execPath, ...START_FLAGS, ...process.execArgv, MAIN, ...process.argv.slice(2)];
  process.execve(process.execPath, args, { ...process.env, NODE_COMPILE_CACHE: compileCache() });
}

/**
 * Where Node keeps compiled code for the next start. Whoever can write there decides what runs, so it is in a folder of the user's
 * own and not where temporary files of all users are. Where the folder cannot be made, Node does without it.
 */
function compileCache() {
  const { NODE_COMPILE_CACHE: given, XDG_CACHE_HOME: caches } = process.env;
  return given || join(caches || join(homedir(), '.cache'), 'dostava');
}
