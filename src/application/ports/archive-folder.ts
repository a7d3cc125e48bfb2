import type { ArchiveSide } from './storage/archive-store.ts';

export type VolumeName = {
  readonly tenant: string;
  /** For example 2026-11. */
  readonly month: string;
  readonly side: ArchiveSide;
};

/** A part of the archive that is written: it appears under its name when it is whole. */
export type NewVolume = {
  readonly path: string;
  readonly add: (name: string, bytes: Uint8Array) => Promise<void>;
  readonly addLine: (line: string) => Promise<void>;
  readonly finish: () => Promise<void>;
};

export type VolumeCheck = {
  readonly volume: string;
  readonly documents: number;
  readonly files: number;
  readonly bytes: number;
  /** In sentences; none when it is in order. */
  readonly faults: readonly string[];
};

export type ArchiveFolder = {
  /** The SHA-256 of every line of the volumes that are whole, with the volume it is in. */
  readonly lines: (name: VolumeName) => Promise<ReadonlyMap<string, string>>;
  readonly begin: (name: VolumeName, about: Readonly<Record<string, unknown>>) => Promise<NewVolume>;
  /** Volumes that are whole. */
  readonly volumes: () => Promise<readonly string[]>;
  /** Reads a volume from the disk again and compares everything with its manifest. */
  readonly verify: (volume: string) => Promise<VolumeCheck>;
};
