import { createHash, hash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { VolumeCheck } from '../../application/ports/archive-folder.ts';

export const ABOUT = 'about.json';
export const DOCUMENTS = 'documents.jsonl';
export const MANIFEST = 'manifest.sha256';
export const SEAL = 'seal.sha256';

type Line = { readonly id: string; readonly files: Readonly<Record<string, { path: string; sha256: string }>> };

/** Reads every byte of a volume: compares the manifest with its seal, files with the manifest, and documents with files. */
export async function verifyVolume(root: string, volume: string): Promise<VolumeCheck> {
  const folder = join(root, volume);
  const damage: string[] = [];
  if (!existsSync(folder)) return { volume, documents: 0, files: 0, bytes: 0, damage: ['The volume is missing.'] };
  if (!existsSync(join(folder, MANIFEST)) || !existsSync(join(folder, SEAL))) {
    return { volume, documents: 0, files: 0, bytes: 0, damage: ['The manifest or its seal is missing.'] };
  }
  const text = await readFile(join(folder, MANIFEST), 'utf8');
  const seal = await readFile(join(folder, SEAL), 'utf8');
  if (seal !== `${hash('sha256', text)}  ${MANIFEST}\n`) damage.push('The manifest is not the one that was sealed.');
  const manifest = filesIn(text);
  const bytes = await compareFiles(folder, manifest, damage);
  const documents = existsSync(join(folder, DOCUMENTS)) ? await compareDocuments(folder, manifest, damage) : 0;
  return { volume, documents, files: manifest.size, bytes, damage };
}

/** The files that a volume should have, with their SHA-256; null when it has no manifest. */
export async function readManifest(folder: string): Promise<ReadonlyMap<string, string> | null> {
  const path = join(folder, MANIFEST);
  return existsSync(path) ? filesIn(await readFile(path, 'utf8')) : null;
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
    if ((await sha256Of(join(folder, file))) !== sha256) damage.push(`${file} was changed.`);
    bytes += (await stat(join(folder, file))).size;
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

function parse(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}

async function sha256Of(file: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}
