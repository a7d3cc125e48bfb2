import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../application/errors/operator-error.ts';
import type { Random } from '../application/ports/platform.ts';
import type { Config } from '../config.ts';
import { randomUuid } from '../domain/values/random-values.ts';

const KEY_BYTES = 32;

/**
 * Adds the key that seals private keys. Production must be given one; the demo environment generates one and keeps it in a
 * file beside the database, so that the service and the command line use the same.
 */
export async function completeConfig(config: Config, random: Random, { mayCreate = true } = {}): Promise<Config> {
  if (config.credentialsKeys !== null || config.environment !== 'demo') return config;
  const file = join(config.dataDir, 'credentials.key');
  const key = (await readKey(file)) ?? (mayCreate ? await generateKey(file, random) : null);
  return key === null ? config : Object.freeze({ ...config, credentialsKeys: Object.freeze([key]) });
}

/** The file and not the variable is named: nobody has set that. */
async function readKey(file: string): Promise<string | null> {
  const key = await readText(file);
  if (key === null || Buffer.from(key, 'base64').length === KEY_BYTES) return key;
  throw new OperatorError(
    'refused',
    `${file} is not the key that the demo environment made. Put it back from a copy; without one remove the folder of the demo, which begins anew then.`,
  );
}

async function readText(file: string): Promise<string | null> {
  try {
    await chmod(file, 0o600);
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw new OperatorError('refused', `${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** Several processes may start at once: the file appears only when it is complete, and all use the key of the first. */
async function generateKey(file: string, random: Random): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUuid(random)}`;
  const key = Buffer.from(random.bytes(KEY_BYTES)).toString('base64');
  await writeFile(draft, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, file);
    return key;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return (await readKey(file)) ?? key;
  } finally {
    await rm(draft);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
