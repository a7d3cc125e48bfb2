import type { ArchiveSide } from '../../application/ports/storage/archive-store.ts';

const VOLUME_NAME = /^(outbound|inbound)-(\d+)$/u;
/** A path that ends with the number of a volume. */
const NUMBERED = /^(.*-)(\d+)$/u;

export function volumeName(side: ArchiveSide, number: number): string {
  return `${side}-${inDigits(number)}`;
}

/** The number of a finished volume; null for any other name. */
export function volumeNumber(side: ArchiveSide, name: string): number | null {
  const [, found, digits] = VOLUME_NAME.exec(name) ?? [];
  return found === side ? Number(digits) : null;
}

export function isVolumeName(name: string): boolean {
  return VOLUME_NAME.test(name);
}

/** The finished volumes of one side among the names of a folder, in the order of their numbers. */
export function volumesAmong(names: readonly string[], side: ArchiveSide): readonly string[] {
  const numberOf = (name: string) => volumeNumber(side, name) ?? 0;
  return names
    .filter((name) => volumeNumber(side, name) !== null)
    .toSorted((one, other) => numberOf(one) - numberOf(other));
}

/** Numbers begin with 1 and have no gaps, so a volume tells of the one before it. Of a gap the last one is named. */
export function withMissingNumbers(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  for (const path of paths) {
    const [, folder = '', digits = ''] = NUMBERED.exec(path) ?? [];
    const number = Number(digits) - 1;
    if (number > 0) all.add(`${folder}${inDigits(number)}`);
  }
  return [...all];
}

function inDigits(number: number): string {
  return String(number).padStart(4, '0');
}
