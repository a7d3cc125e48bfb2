import type { DocUid } from './doc-uid.ts';

/** What stands in the way of an arrival, or of collecting at all. */
export type ArrivalProblem = {
  /** An EUID, or what else failed; see `COLLECTION`, `listSubject` and `rowSubject`. */
  readonly subject: string;
  /** Tells two reasons apart whatever their wording: an error code of the authority, or a kind of failure. */
  readonly cause: string;
  /** For the operator. */
  readonly reason: string;
  readonly since: number;
  /** How often it failed in a row. */
  readonly failures: number;
  /** When it is asked for again; null for a document that was stored although it could not be read. */
  readonly dueAt: number | null;
  readonly seenAt: number;
  /** The document that was stored although it could not be read. */
  readonly docUid: DocUid | null;
};

/** The subject of a problem with the collection as a whole. */
export const COLLECTION = 'collection';

const LIST = 'list:';
const ROW = 'row:';

/** The subject of a problem with the list of a window other than the newest. */
export function listSubject(window: number): string {
  return `${LIST}${window}`;
}

/** The window of such a subject; null of any other. */
export function listedWindow(subject: string): number | null {
  return subject.startsWith(LIST) ? Number(subject.slice(LIST.length)) : null;
}

/** The subject of a problem with a row of a list that names no document. */
export function rowSubject(digest: string): string {
  return `${ROW}${digest}`;
}

export function isRowSubject(subject: string): boolean {
  return subject.startsWith(ROW);
}

/** Whether its next try is not due yet. A time further ahead than the longest pause was written by a wrong clock. */
export function isArrivalWaiting({ dueAt }: Pick<ArrivalProblem, 'dueAt'>, now: number): boolean {
  return dueAt !== null && dueAt > now && dueAt <= now + LONGEST_PAUSE_MS;
}

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** The pause before an arrival is asked for again: it doubles, but a right that was granted shows within a working day. */
export function arrivalPauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}
