import { createHash, type Hash } from 'node:crypto';
import type { VirtualTime } from './virtual-time.ts';

/** What happened, a line an event. Two runs of one seed have the same digest, or the history depended on the machine. */
export type Trace = {
  readonly add: (line: string) => void;
  readonly lines: () => readonly string[];
  readonly digest: () => string;
};

const HASHED_AT_ONCE = 16_384;

export function createTrace(time: Pick<VirtualTime, 'now'>, isKept: boolean): Trace {
  const start = time.now();
  const lines: string[] = [];
  const hash = createHash('sha256');
  let unhashed = '';
  function hashed(): Hash {
    hash.update(unhashed);
    unhashed = '';
    return hash;
  }
  return {
    add(text) {
      const line = `${((time.now() - start) / 1_000).toFixed(3).padStart(10)}  ${text}`;
      unhashed += `${line}\n`;
      if (unhashed.length > HASHED_AT_ONCE) hashed();
      if (isKept) lines.push(line);
    },
    lines: () => lines,
    digest: () => hashed().copy().digest('hex'),
  };
}
