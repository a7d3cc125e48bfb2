import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figures, NO_FIGURES } from '../report/figures.ts';

const SCHEMA = fileURLToPath(new URL('../../schemas/ubl-invoice-2.1.xsd', import.meta.url));
const ABSENT = 'xmllint is not on this machine (package libxml2-utils)';
/** As much as a command line may be long, with room to spare. */
const MOST_TIMES = 2_000;
const FEW = 3;
const SECOND_MS = 1_000;

/**
 * Parses and validates on one thread as a native program does, without HTTP. Many times the same file in one call, less the time of
 * a call with one: what the start and the schemas cost falls out.
 */
export async function nativeXmllint(folder: string, document: Uint8Array, ms: number): Promise<Figures> {
  const file = join(folder, 'document.xml');
  await writeFile(file, document);
  try {
    await run(file, 1);
    const one = await run(file, 1);
    const about = Math.max(((await run(file, 1 + FEW)) - one) / FEW, 0.01);
    const times = Math.round(Math.min(MOST_TIMES, Math.max(FEW, ms / about)));
    const each = Math.max(((await run(file, times + 1)) - one) / times, 0.001);
    return { ...NO_FIGURES, perSecond: SECOND_MS / each, p50Ms: each, processorMs: each };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { ...NO_FIGURES, note: ABSENT };
    throw error;
  } finally {
    await rm(file, { force: true });
  }
}

/** How long it takes, in milliseconds. */
function run(file: string, times: number): Promise<number> {
  const args = ['--huge', '--noout', '--schema', SCHEMA, ...Array.from({ length: times }, () => file)];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    execFile('xmllint', args, { maxBuffer: 2 ** 24 }, (error) =>
      error === null ? resolve(performance.now() - started) : reject(error),
    );
  });
}
