import type { Timers } from '../application/ports/platform.ts';
import { counted } from '../domain/messages/message.ts';
import type { Report } from './command.ts';

const EVERY_MS = 1_000;

/** `act` and `what` name the work, for example "copying" and "outbound". */
export type Step = {
  readonly act: string;
  readonly what: string;
  readonly done: number;
  readonly total: number;
  readonly unit: string;
};

/** Prints at most one line a second, with progress and speed. */
export function progressLines(report: Report, timers: Timers): (step: Step) => void {
  let current = '';
  let start = { at: 0, done: 0 };
  let printedAt = Number.NEGATIVE_INFINITY;
  return ({ act, what, done, total, unit }) => {
    const now = timers.elapsedMs();
    if (current !== `${act} ${what}`) {
      current = `${act} ${what}`;
      start = { at: now, done };
    }
    if (now - printedAt < EVERY_MS) return;
    printedAt = now;
    const seconds = (now - start.at) / 1_000;
    const speed = seconds > 0 ? `, ${Math.round((done - start.done) / seconds)} ${unit}/s` : '';
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    report(`${current}: ${done} of ${counted(total, oneOf(unit), unit)}, ${percent} %${speed}`);
  };
}

/** Of the plural of a unit. */
function oneOf(unit: string): string {
  return unit.replace(/ies$/u, 'ys').replace(/s$/u, '');
}
