import type { UnderWay } from '../app/service.ts';
import type { Timers } from '../application/ports/platform.ts';

const LOOK_EVERY_MS = 500;

const ENUMERATION = new Intl.ListFormat('en-GB');

/** Says what the stop waits for, and again whenever that has changed. */
export function announceStop(timers: Timers, underWay: () => UnderWay, out: (text: string) => void): void {
  let last = '';
  const announce = () => {
    const text = stopText(underWay());
    if (text !== last) out(text);
    last = text;
  };
  announce();
  // The end of the process does not wait for it.
  timers.every(LOOK_EVERY_MS, announce, { keepsProcess: false });
}

export function stopText({ requests, deliveries, containers, voids, tasks }: UnderWay): string {
  const waiting = [
    counted(requests, 'request', 'requests'),
    counted(deliveries, 'delivery', 'deliveries'),
    counted(containers, 'container', 'containers'),
    counted(voids, 'void', 'voids'),
    counted(tasks, 'recurring task', 'recurring tasks'),
  ].filter((text) => text !== null);
  if (waiting.length === 0) return 'Stopping.';
  return `Stopping: waiting for ${ENUMERATION.format(waiting)}. Another Ctrl-C ends it at once.`;
}

function counted(count: number, one: string, several: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : several}`;
}
