import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A group of processes that the kernel ends when they take more memory together. */
export type MemoryLimit = {
  /** What a shell runs to put itself, and what it becomes, under the limit. */
  readonly enter: string;
  /** The most that was taken at a time. Pages of files that can be given back count as well, so it may reach the limit. */
  readonly peakBytes: () => number;
  /** False while a process is still in it. */
  readonly remove: () => boolean;
};

const ROOT = '/sys/fs/cgroup';
let groups = 0;

/** Below the group that the tests run in; null where the system does not let us make one. */
export function limitMemory(bytes: number): MemoryLimit | null {
  groups += 1;
  const name = `dostava-${process.pid}-${groups}`;
  return versionOne(name, bytes) ?? versionTwo(name, bytes);
}

function versionOne(name: string, bytes: number): MemoryLimit | null {
  return group(join(ROOT, 'memory', ownGroup('memory'), name), {
    limits: { 'memory.limit_in_bytes': bytes },
    peak: 'memory.max_usage_in_bytes',
  });
}

function versionTwo(name: string, bytes: number): MemoryLimit | null {
  return group(join(ROOT, ownGroup(''), name), {
    limits: { 'memory.max': bytes, 'memory.swap.max': 0 },
    peak: 'memory.peak',
  });
}

type Files = { readonly limits: Readonly<Record<string, number>>; readonly peak: string };

function group(folder: string, { limits, peak }: Files): MemoryLimit | null {
  try {
    mkdirSync(folder);
  } catch {
    return null;
  }
  try {
    for (const [file, value] of Object.entries(limits)) writeFileSync(join(folder, file), String(value));
    readFileSync(join(folder, peak));
  } catch {
    rmdirSync(folder);
    return null;
  }
  return {
    enter: `echo $$ > ${join(folder, 'cgroup.procs')}`,
    peakBytes: () => Number(readFileSync(join(folder, peak), 'utf8')),
    remove() {
      if (readFileSync(join(folder, 'cgroup.procs'), 'utf8').trim() !== '') return false;
      rmdirSync(folder);
      return true;
    },
  };
}

function ownGroup(controller: string): string {
  const file = '/proc/self/cgroup';
  if (!existsSync(file)) return '';
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.map((line) => line.split(':')).find((parts) => parts[1] === controller)?.[2] ?? '';
}
