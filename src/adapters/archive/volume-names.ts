import type { ArchiveSide } from '../../application/ports/storage/archive-store.ts';

const VOLUME_NAME = /^(outbound|inbound)-(\d+)$/u;

export function volumeName(side: ArchiveSide, number: number): string {
  return `${side}-${String(number).padStart(4, '0')}`;
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
