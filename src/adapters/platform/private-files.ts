import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { OperatorError } from '../../application/errors/operator-error.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const PERMISSIONS = 0o777;
const STICKY = 0o1000;

/** Creates the folder if it is missing, opens it to its user and keeps others out, also when it was there with another mode. */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder);
  const { uid, mode } = statSync(folder);
  // A folder of another user, or one that all users share (/tmp), is not ours to close; the files in it are private anyway.
  const isOurs = uid === process.getuid?.() && (mode & STICKY) === 0;
  if (isOurs && (mode & PERMISSIONS) !== FOLDER_MODE) chmodSync(folder, FOLDER_MODE);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'it, or a part of its path, is a file' : message;
    throw new OperatorError('refused', `The folder ${folder} cannot be made: ${why}.`);
  }
}

/** Keeps other users from a file that is there, and lets its own write it: a copy of a backup may have come as read-only. */
export function makePrivate(file: string): void {
  if (existsSync(file) && (statSync(file).mode & PERMISSIONS) !== FILE_MODE) chmodSync(file, FILE_MODE);
}

/** Creates the file if it is missing, so that no other user can read what is written there at any time. */
export function createPrivate(file: string): void {
  if (existsSync(file)) makePrivate(file);
  else closeSync(openSync(file, 'a', FILE_MODE));
}

/** Whether there is a database. One in a folder that is closed to this user must not be taken for a missing one. */
export function hasDatabase(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false;
    throw new OperatorError('refused', `${file} is closed to this user. Run commands as the user of the service.`);
  }
}

/** What root makes is closed to everybody else: the owner of one of the places, as whom the service runs, could not read it. */
export function refuseRootBeside(places: readonly string[]): void {
  if (process.geteuid?.() !== 0) return;
  for (const place of places) {
    const owner = statSync(place, { throwIfNoEntry: false })?.uid ?? 0;
    if (owner === 0) continue;
    const why = `${place} belongs to another user (${owner}), who could not read what root writes`;
    throw new OperatorError('refused', `${why}. Run the command as the user of the service.`);
  }
}
