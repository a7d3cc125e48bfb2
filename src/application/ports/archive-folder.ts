import type { ArchiveSide } from './storage/archive-store.ts';

export type VolumeName = {
  readonly tenant: string;
  /** For example 2026-11. */
  readonly month: string;
  readonly side: ArchiveSide;
};

/** A volume that is being written: it appears under its name when it is complete. */
export type NewVolume = {
  readonly path: string;
  /** Where it is until it has its name. */
  readonly draft: string;
  readonly add: (name: string, bytes: Uint8Array) => Promise<void>;
  readonly addLine: (line: string) => Promise<void>;
  /** Writes its manifest: from then on it can be verified. */
  readonly seal: () => Promise<void>;
  /** Gives it its name. */
  readonly finish: () => Promise<void>;
};

export type VolumeCheck = {
  readonly volume: string;
  readonly documents: number;
  readonly files: number;
  readonly bytes: number;
  /** What does not match the manifest, in sentences; empty when the volume is in order. */
  readonly damage: readonly string[];
};

export type ArchiveFolder = {
  /** The SHA-256 of every line of the complete volumes, with the volume that it is in. */
  readonly lines: (name: VolumeName) => Promise<ReadonlyMap<string, string>>;
  /** Every file that the manifests of the complete volumes name, each as its SHA-256, a blank and its path, with the volume that it is in. */
  readonly files: (name: VolumeName) => Promise<ReadonlyMap<string, string>>;
  readonly begin: (name: VolumeName, about: Readonly<Record<string, unknown>>) => Promise<NewVolume>;
  /** The complete volumes, and of every gap in their numbers the one that should be the last. */
  readonly volumes: () => Promise<readonly string[]>;
  /** Reads a volume from disk and compares everything with its manifest. */
  readonly verify: (volume: string) => Promise<VolumeCheck>;
};
