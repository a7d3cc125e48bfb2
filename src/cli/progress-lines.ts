import type { Report } from './command.ts';

const EVERY_MS = 1_000;

/** `act` and `what` name the piece of work, for example "copying" and "outbound". */
export type Step = {
  readonly act: string;
  readonly what: string;
  readonly done: number;
  readonly total: number;
  readonly unit: string;
};

/** Turns steps, however fast they come, into a line a second: how much is done, and how fast it goes. */
export function progressLines(report: Report): (step: Step) => void {
  let piece = '';
  let begun = { at: 0, done: 0 };
  let saidAt = Number.NEGATIVE_INFINITY;
  return ({ act, what, done, total, unit }) => {
    const now = performance.now();
    if (piece !== `${act} ${what}`) {
      piece = `${act} ${what}`;
      begun = { at: now, done };
    }
    if (now - saidAt < EVERY_MS) return;
    saidAt = now;
    const seconds = (now - begun.at) / 1_000;
    const speed = seconds > 0 ? `, ${Math.round((done - begun.done) / seconds)} ${unit}/s` : '';
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    report(`${piece}: ${done} of ${total} ${unit}, ${percent} %${speed}`);
  };
}
