import { LOOK } from '../world/database.ts';
import type { Target } from '../world/fault-plan.ts';
import type { Statement } from './session.ts';

/** What a connection has to know of a statement. */
export type Nature = {
  readonly begins: boolean;
  /** A commit or a rollback. */
  readonly ends: boolean;
  readonly commits: boolean;
  readonly writes: boolean;
  /** Something that is more than a look for work. */
  readonly reads: boolean;
  /** Written again and again while nothing happens, or with every call: a fault there would be lost on it. */
  readonly isRoutine: boolean;
  /** Writes tables that promises are held against: those of documents, with all that begins with their names. */
  readonly writesDocuments: boolean;
  readonly asksForTime: boolean;
};

const WRITE = /^\s*(?:insert|update|delete|with)\b/iu;
const READ = /^\s*select\b/iu;
const ROUTINE = /\brecurring_task\b|\bpace\b|\btraffic\b/u;
const OF_DOCUMENTS = /\b(?:outbound|inbound)/u;
/** Begins as a statement that writes may begin, and only reads. */
const LOOK_FOR_DUE = /^\s*with recursive walk\b/u;
const TIME = /\b(?:now|clock_timestamp)\(\)/gu;
/** Whatever else of a server gives another value in every run. */
const CHANCE =
  /\b(?:random|gen_random_uuid|uuidv[47]|statement_timestamp|transaction_timestamp|timeofday|nextval|current_(?:date|time|timestamp)|local(?:time|timestamp)|listen|notify|pg_notify)\b/iu;

const natures = new Map<string, Nature>();

export function natureOf(text: string): Nature {
  const known = natures.get(text);
  if (known !== undefined) return known;
  if (CHANCE.test(text)) throw new Error(`A history cannot be repeated with the statement: ${text}`);
  const nature: Nature = {
    begins: /^begin\b/u.test(text),
    ends: text === 'commit' || text === 'rollback',
    commits: text === 'commit',
    writes: WRITE.test(text),
    reads: READ.test(text) && !LOOK.test(text),
    isRoutine: ROUTINE.test(text),
    writesDocuments: WRITE.test(text) && OF_DOCUMENTS.test(text) && !LOOK_FOR_DUE.test(text),
    asksForTime: text.search(TIME) >= 0,
  };
  natures.set(text, nature);
  return nature;
}

/** The same statement with the time of the history in place of the server's. */
export function atTime({ text, values }: Statement, now: number): Statement {
  return natureOf(text).asksForTime
    ? { text: text.replaceAll(TIME, `to_timestamp(${now} / 1000.0)`), values }
    : { text, values };
}

const ANY: readonly Target[] = ['statement'];
const READING: readonly Target[] = ['statement', 'read'];
const WRITING: readonly Target[] = ['statement', 'write'];
const COMMITTING: readonly Target[] = ['statement', 'commit'];

/** Where in the fault plan a statement stands. */
export function targetsOf({ reads, writes, isRoutine, commits }: Nature, hasWritten: boolean): readonly Target[] {
  if (commits && hasWritten) return COMMITTING;
  if (writes && !isRoutine) return WRITING;
  return reads ? READING : ANY;
}

/** Has the server fail with that code, which rolls the transaction back. */
export function failingWith(code: string): Statement {
  return { text: `do $$ begin raise exception 'a fault of the plan' using errcode = '${code}'; end $$`, values: [] };
}
