import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseJson } from '../json-object.ts';

export type Journal = { readonly append: (entry: unknown) => void; readonly close: () => void };

const FIRST_LINE = '{"journalOf":"tax authority simulator","version":1}';
const NEWLINE = 10;

export const NO_JOURNAL: Journal = { append: () => undefined, close: () => undefined };

/**
 * All state changes, one JSON text a line, replayed at the next start. Lines are written without a flush to disk: they
 * survive a killed process, but not a power failure; an incomplete last line is dropped.
 */
export function openJournal(path: string, replay: (entry: unknown) => void): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a+', 0o600);
  try {
    const length = replayLines(path, replay);
    ftruncateSync(file, length);
    if (length === 0) writeSync(file, `${FIRST_LINE}\n`);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    append: (entry) => void writeSync(file, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(file),
  };
}

/** Returns how many bytes of the file are complete lines. */
function replayLines(path: string, replay: (entry: unknown) => void): number {
  const content = readFileSync(path);
  let start = 0;
  for (let line = 1; ; line += 1) {
    const end = content.indexOf(NEWLINE, start);
    if (end === -1) break;
    const text = content.toString('utf8', start, end);
    if (line === 1 && text !== FIRST_LINE) throw new Error(`${path} is not a state file of this simulator.`);
    if (line > 1) replay(readLine(path, line, text));
    start = end + 1;
  }
  if (start === 0 && content.length > 0) throw new Error(`${path} is not a state file of this simulator.`);
  return start;
}

function readLine(path: string, line: number, text: string): unknown {
  const entry = parseJson(text);
  if (entry === undefined) throw new Error(`${path}, line ${line}: not readable.`);
  return entry;
}
