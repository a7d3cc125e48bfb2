import { createHash, hash } from 'node:crypto';
import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { appendFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { OperatorError } from '../../application/errors/operator-error.ts';
import type { ArchiveFolder, NewVolume, VolumeName } from '../../application/ports/archive-folder.ts';
import { flushToDisk } from '../platform/flush-to-disk.ts';
import { makePrivateFolder } from '../platform/private-files.ts';
import { ABOUT, DOCUMENTS, MANIFEST, readManifest, SEAL, verifyVolume } from './archive-volume-check.ts';
import { isVolumeName, volumeName, volumeNumber, volumesAmong, withMissingNumbers } from './volume-names.ts';

const UNFINISHED = '.part';

/** On a disk of its own an archive has this folder beside it, which only the administrator may read. */
const LOST_AND_FOUND = 'lost+found';

/** Part of every volume, so that it can be understood and verified in ten years without this program. */
const EXPLANATION = [
  'Electronic invoices of one taxpayer and one month, written by Dostava.',
  'documents.jsonl: one document a line, in UTF-8, with its facts, history, attempts and the answers of the tax authority; files names its files here. Times in facts are milliseconds since 1970 UTC, bytes hexadecimal.',
  'manifest.sha256 has the SHA-256 of every file, seal.sha256 that of the manifest. To verify: sha256sum -c seal.sha256 && sha256sum -c manifest.sha256',
];

/** An archive on disk; every folder <taxpayer>/<month>/<side>-<number> is one volume. */
export function openArchiveFolder(root: string): ArchiveFolder {
  const reading = <Result>(work: () => Promise<Result>) => tellingWhere(`The archive ${root} cannot be read`, work);
  const writing = <Result>(work: () => Promise<Result>) => tellingWhere(`The archive ${root} cannot be written`, work);
  return {
    lines: (name) => reading(() => linesOf(root, name)),
    files: (name) => reading(() => filesOf(root, name)),
    begin: (name, about) =>
      writing(async () => {
        const volume = await begin(root, name, about);
        return {
          ...volume,
          add: (file, bytes) => writing(() => volume.add(file, bytes)),
          addLine: (line) => writing(() => volume.addLine(line)),
          seal: () => writing(volume.seal),
          finish: () => writing(volume.finish),
        };
      }),
    volumes: () =>
      reading(async () => (existsSync(root) ? withMissingNumbers(await volumesBelow(root, '')).toSorted() : [])),
    verify: (volume) => reading(() => verifyVolume(root, volume)),
  };
}

/** The system does not say which disk is full, and what it cannot read is not always named as part of the archive. */
async function tellingWhere<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new OperatorError('refused', `${what}: ${message}.`);
  }
}

async function linesOf(root: string, name: VolumeName): Promise<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>();
  for (const volume of await volumesOf(root, name)) {
    const path = join(name.tenant, name.month, volume);
    const stream = createReadStream(join(root, path, DOCUMENTS));
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      lines.set(hash('sha256', line), path);
    }
  }
  return lines;
}

async function filesOf(root: string, name: VolumeName): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const volume of await volumesOf(root, name)) {
    const path = join(name.tenant, name.month, volume);
    for (const [file, sha256] of await readManifest(join(root, path))) files.set(`${sha256} ${file}`, path);
  }
  return files;
}

/** Also when one of the two leads to the other by a link. */
export function isSameFolder(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

/** The paths of all volumes, which are not looked into: they may have millions of files. */
async function volumesBelow(root: string, path: string): Promise<readonly string[]> {
  const volumes: string[] = [];
  for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === LOST_AND_FOUND) continue;
    const below = join(path, entry.name);
    volumes.push(...(isVolumeName(entry.name) ? [below] : await volumesBelow(root, below)));
  }
  return volumes;
}

/** Finished volumes of a month, in the order of their numbers. */
async function volumesOf(root: string, { tenant, month, side }: VolumeName): Promise<readonly string[]> {
  const folder = join(root, tenant, month);
  if (!existsSync(folder)) return [];
  return volumesAmong(await readdir(folder), side);
}

/** The folders of files, and those above them up to where the names begin; the innermost first. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = new Set(['.']);
  for (const file of files) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].toSorted((one, other) => other.length - one.length);
}

async function begin(root: string, name: VolumeName, about: Readonly<Record<string, unknown>>): Promise<NewVolume> {
  const numbers = (await volumesOf(root, name)).map((volume) => volumeNumber(name.side, volume) ?? 0);
  const path = join(name.tenant, name.month, volumeName(name.side, Math.max(0, ...numbers) + 1));
  const draft = `${join(root, path)}${UNFINISHED}`;
  // Left by a run that was interrupted before the volume was finished: the folder is locked, so no other run is at work.
  await rm(draft, { recursive: true, force: true });
  makePrivateFolder(root);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const documents = join(draft, DOCUMENTS);
  const digest = createHash('sha256');
  const manifest = new Map<string, string>();

  async function add(file: string, bytes: Uint8Array | string): Promise<void> {
    await mkdir(dirname(join(draft, file)), { recursive: true, mode: 0o700 });
    await writeFile(join(draft, file), bytes, { mode: 0o600, flush: true });
    manifest.set(file, hash('sha256', bytes));
  }

  return {
    path,
    draft: `${path}${UNFINISHED}`,
    add,
    async addLine(line) {
      digest.update(`${line}\n`);
      await appendFile(documents, `${line}\n`, { mode: 0o600 });
    },
    async seal() {
      await flushToDisk(documents);
      await add(
        ABOUT,
        `${JSON.stringify({ format: 'dostava archive 1', ...about, month: name.month, explanation: EXPLANATION }, null, 2)}\n`,
      );
      manifest.set(DOCUMENTS, digest.digest('hex'));
      const text = [...manifest].toSorted().map(([file, sha256]) => `${sha256}  ${file}\n`);
      await add(MANIFEST, text.join(''));
      await add(SEAL, `${manifest.get(MANIFEST)}  ${MANIFEST}\n`);
    },
    async finish() {
      // The names of files and folders too: what is in the archive may soon be nowhere else.
      for (const folder of foldersOf([...manifest.keys()])) await flushToDisk(join(draft, folder));
      await rename(draft, join(root, path));
      for (const folder of foldersOf([path])) await flushToDisk(join(root, folder));
    },
  };
}
