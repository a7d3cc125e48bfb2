import { createHash, hash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { VolumeCheck } from '../../application/ports/archive-folder.ts';

export const ABOUT = 'about.json';
export const DOCUMENTS = 'documents.jsonl';
export const MANIFEST = 'manifest.sha256';
export const SEAL = 'seal.sha256';

type Line = { readonly id: string; readonly files: Readonly<Record<string, { path: string; sha256: string }>> };

/**
 * Reads every byte of a volume: compares the manifest with its seal, files with the manifest, and documents with files. What cannot be
 * read is damage as well, and does not end the look at the rest.
 */
export async function verifyVolume(root: string, volume: string): Promise<VolumeCheck> {
  const folder = join(root, volume);
  const damage: string[] = [];
  if (!existsSync(folder)) return { volume, documents: 0, files: 0, bytes: 0, damage: ['The volume is missing.'] };
  if (!existsSync(join(folder, MANIFEST)) || !existsSync(join(folder, SEAL))) {
    return { volume, documents: 0, files: 0, bytes: 0, damage: ['The manifest or its seal is missing.'] };
  }
  const readText = (file: string) => unlessUnreadable(file, damage, '', () => readFile(join(folder, file), 'utf8'));
  const text = await readText(MANIFEST);
  const seal = await readText(SEAL);
  if (seal !== `${hash('sha256', text)}  ${MANIFEST}\n`) damage.push('The manifest is not the one that was sealed.');
  const manifest = filesIn(text);
  const bytes = await compareFiles(folder, manifest, damage);
  const lines = existsSync(join(folder, DOCUMENTS)) ? () => compareDocuments(folder, manifest, damage) : async () => 0;
  const documents = await unlessUnreadable(DOCUMENTS, damage, 0, lines);
  return { volume, documents, files: manifest.size, bytes, damage: [...new Set(damage)] };
}

/** A disk with a bad sector fails on one file. */
async function unlessUnreadable<Result>(
  file: string,
  damage: string[],
  otherwise: Result,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    damage.push(`${file} cannot be read: ${code}.`);
    return otherwise;
  }
}

/** The files that a volume should have, with their SHA-256. None without a manifest that can be read: a check of the volume names that. */
export async function readManifest(folder: string): Promise<ReadonlyMap<string, string>> {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) return new Map();
  return filesIn(await unlessUnreadable(MANIFEST, [], '', () => readFile(path, 'utf8')));
}

function filesIn(manifest: string): ReadonlyMap<string, string> {
  const lines = manifest.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

async function compareFiles(folder: string, manifest: ReadonlyMap<string, string>, damage: string[]): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const present = new Set(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
  let bytes = 0;
  for (const [file, sha256] of manifest) {
    if (!present.delete(file)) {
      damage.push(`${file} is missing.`);
      continue;
    }
    const found = await unlessUnreadable(file, damage, null, () => readThrough(join(folder, file)));
    if (found !== null && found.sha256 !== sha256) damage.push(`${file} was changed.`);
    bytes += found?.bytes ?? 0;
  }
  for (const file of [MANIFEST, SEAL]) present.delete(file);
  for (const file of present) damage.push(`${file} is not in the manifest.`);
  return bytes;
}

async function compareDocuments(
  folder: string,
  manifest: ReadonlyMap<string, string>,
  damage: string[],
): Promise<number> {
  let documents = 0;
  for await (const text of createInterface({ input: createReadStream(join(folder, DOCUMENTS)) })) {
    documents += 1;
    const line = parse(text);
    if (line === null) {
      damage.push(`Line ${documents} of ${DOCUMENTS} cannot be read.`);
      continue;
    }
    for (const { path, sha256 } of Object.values(line.files)) {
      if (manifest.get(path) !== sha256) damage.push(`${path} is not the file of the document ${line.id}.`);
    }
  }
  return documents;
}

/** Null for what this program has not written so. */
function parse(text: string): Line | null {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : null;
  } catch {
    return null;
  }
}

function isLine(value: unknown): value is Line {
  if (!isObject(value) || !isObject(value['files'])) return false;
  return Object.values(value['files']).every(isObject);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

async function readThrough(file: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    digest.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: digest.digest('hex'), bytes };
}
