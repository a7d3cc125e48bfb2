import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figures, NO_FIGURES } from '../report/figures.ts';

const SCHEMA = fileURLToPath(new URL('../../schemas/ubl-invoice-2.1.xsd', import.meta.url));
const ABSENT = 'xmllint is not on this machine (package libxml2-utils)';
/** A shell tells what processor time its children took; where it does not find a program, it ends with this. */
const RUN = 'xmllint "$@" >/dev/null 2>&1 || exit; times';
const NOT_FOUND = 127;
/** As much as a command line may be long, with room to spare. */
const MOST_TIMES = 2_048;
const [FEWEST_TIMES, GROWTH] = [2, 4] as const;
/** Below what any document takes: the shell counts in hundredths of a second. */
const LEAST_MS = 0.01;
const [SECOND_MS, MINUTE_MS] = [1_000, 60_000] as const;

/**
 * Parses and validates on one thread as a native program does, without HTTP. Many times the same file in one call, less the time of
 * a call with one: what the start and the schemas cost falls out. In processor time, so that nobody else's work counts.
 */
export async function nativeXmllint(folder: string, document: Uint8Array, ms: number): Promise<Figures> {
  const file = join(folder, 'document.xml');
  await writeFile(file, document);
  try {
    const one = await processorTime(file, 1);
    if (one === null) return { ...NO_FIGURES, note: ABSENT };
    let each = 0;
    for (let times = FEWEST_TIMES, took = 0; times <= MOST_TIMES && took < ms / 2; times *= GROWTH) {
      took = ((await processorTime(file, 1 + times)) ?? 0) - one;
      each = Math.max(took / times, LEAST_MS);
    }
    return { ...NO_FIGURES, perSecond: SECOND_MS / each, p50Ms: each, processorMs: each };
  } finally {
    await rm(file, { force: true });
  }
}

/** In milliseconds; null where there is no such program. */
function processorTime(file: string, times: number): Promise<number | null> {
  const args = ['--huge', '--noout', '--schema', SCHEMA, ...Array.from({ length: times }, () => file)];
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', RUN, 'sh', ...args], { env: { ...process.env, LC_ALL: 'C' } }, (error, stdout) => {
      if (error === null) resolve(ofChildren(stdout));
      else if (error.code === NOT_FOUND) resolve(null);
      else reject(new Error(`xmllint ended with ${error.code}.`));
    });
  });
}

/** The second of two lines, of which each has the time in the program and in the system: `0m0.27s 0m0.03s`. */
function ofChildren(told: string): number {
  const [, line = ''] = told.trim().split('\n');
  return [...line.matchAll(/(\d+)m([\d.]+)s/gu)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS,
    0,
  );
}
