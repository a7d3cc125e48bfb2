#!/usr/bin/env node
// Written so that every Node since version 16 can read it and an old one is told what is missing.
import { chmodSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { START_ENVIRONMENT, START_FLAGS } from './start-flags.js';

/** The oldest Node that will do, and the one that the flags were measured with. */
const NODE = 24;
/** The source in a checkout; in an installed package, where Node runs no TypeScript, what `npm pack` has made of it. */
const SOURCE = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const PACKED = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));
const MAIN = existsSync(SOURCE) ? SOURCE : PACKED;

const { execPath, versions } = process;
const major = Number.parseInt(versions.node, 10);

if (process.execve === undefined || major < NODE) {
  process.stderr.write(`Dostava needs Node ${NODE} or newer. This is Node ${versions.node}: ${execPath}\n${advice()}`);
  process.exitCode = 1;
} else {
  // Flags of the engine come and go with its versions, and Node refuses to start with one that it does not know.
  const ours = major === NODE ? START_FLAGS : [];
  // The program takes the place of this process: it has its id and its terminal, gets its signals, and ends with an exit code
  // of its own. Flags that were given to Node by hand come last, so they win.
  const args = [execPath, ...ours, ...process.execArgv, MAIN, ...process.argv.slice(2)];
  process.execve(execPath, args, { ...START_ENVIRONMENT, ...process.env, NODE_COMPILE_CACHE: compileCache() });
}

/** npm installs the right Node beside the program, but only npm's own commands find it before the machine's. */
function advice() {
  const nodePackage = findNodePackage();
  const node = nodePackage && join(nodePackage, 'bin', 'node');
  if (!node || !existsSync(node))
    return 'Install one, or run "npm ci --omit=dev" in the folder of the program, which brings it.\n';
  return `The right one is installed beside it: ${node} ${fileURLToPath(import.meta.url)}\n`;
}

function findNodePackage() {
  try {
    return dirname(createRequire(import.meta.url).resolve('node/package.json'));
  } catch {
    return null;
  }
}

/**
 * Where Node keeps compiled code for the next start. Whoever can write there decides what runs, so it is in a folder of the user's
 * own and not where temporary files of all users are. Where the folder cannot be made, Node does without it.
 */
function compileCache() {
  const { NODE_COMPILE_CACHE: given, XDG_CACHE_HOME: caches } = process.env;
  if (given) return given;
  const folder = caches || homeCaches();
  return folder ? makePrivate(join(folder, 'dostava')) : '';
}

/**
 * Node would make it as the umask says, which may let every user write there. One of another user, as after `sudo` that keeps HOME, or that
 * another user's link leads to, is neither used nor changed.
 * @param {string} folder
 */
function makePrivate(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const isOwn = [lstatSync(folder), statSync(folder)].every(({ uid }) => uid === process.getuid?.());
    if (!isOwn) return '';
    chmodSync(folder, 0o700);
  } catch {
    // On a disk that is read-only: Node reads what is there, or does without it.
  }
  return folder;
}

/** Null for a user that the system does not know, as in a container, where no HOME is set either. */
function homeCaches() {
  try {
    return join(homedir(), '.cache');
  } catch {
    return null;
  }
}
