import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figures, NO_FIGURES } from '../report/figures.ts';

const SCHEMA = fileURLToPath(new URL('../../schemas/ubl-invoice-2.1.xsd', import.meta.url));
const ABSENT = 'xmllint is not on this machine (package libxml2-utils)';
/** As much as a command line may be long, with room to spare. */
const MOST_TIMES = 2_000;
const FEW = 2;
const RUNS = 2;
/** Below what any document takes, for a machine that was busy at the wrong moment. */
const LEAST_MS = 0.01;
const SECOND_MS = 1_000;

/**
 * Parses and validates on one thread as a native program does, without HTTP. Many times the same file in one call, less the time of
 * a call with one: what the start and the schemas cost falls out.
 */
export async function nativeXmllint(folder: string, document: Uint8Array, ms: number): Promise<Figures> {
  const file = join(folder, 'document.xml');
  await writeFile(file, document);
  try {
    const one = await fastest(file, 1);
    const each = async (times: number) => Math.max(((await fastest(file, 1 + times)) - one) / times, LEAST_MS);
    const about = await each(FEW);
    const times = Math.round(Math.min(MOST_TIMES, ms / about));
    const found = times > FEW ? await each(times) : about;
    // How long it took is known, not what of that was processor time.
    return { ...NO_FIGURES, perSecond: SECOND_MS / found, p50Ms: found };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { ...NO_FIGURES, note: ABSENT };
    throw error;
  } finally {
    await rm(file, { force: true });
  }
}

/** Of a few: what a busy machine adds to one of them must not be taken for the time of a document. */
async function fastest(file: string, times: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) best = Math.min(best, await runOnce(file, times));
  return best;
}

/** How long it takes, in milliseconds. */
function runOnce(file: string, times: number): Promise<number> {
  const args = ['--huge', '--noout', '--schema', SCHEMA, ...Array.from({ length: times }, () => file)];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    execFile('xmllint', args, { maxBuffer: 2 ** 24 }, (error) =>
      error === null ? resolve(performance.now() - started) : reject(error),
    );
  });
}
