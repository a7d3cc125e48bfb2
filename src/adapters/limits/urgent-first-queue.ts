import type { WaitingQueue } from '../threads/semaphore.ts';

/** Those who wait for a person or a deadline go before background work. */
export type Urgency = 'urgent' | 'background';

/** A user with a backlog always has something urgent waiting: without a limit its background work would wait until all is sent. */
const URGENT_TURNS_IN_A_ROW = 8;

/** The urgent ones first, but one of the others after so many of them; each kind in the order of arrival. */
export function createUrgentFirstQueue(): WaitingQueue<Urgency> {
  const waiting: Record<Urgency, (() => void)[]> = { urgent: [], background: [] };
  let urgentInARow = 0;
  return {
    push: (urgency, one) => void waiting[urgency].push(one),
    remove(urgency, one) {
      waiting[urgency] = waiting[urgency].filter((other) => other !== one);
    },
    take() {
      const { urgent, background } = waiting;
      const isBackgroundNext = urgent.length === 0 || (background.length > 0 && urgentInARow >= URGENT_TURNS_IN_A_ROW);
      urgentInARow = isBackgroundNext ? 0 : urgentInARow + 1;
      return (isBackgroundNext ? background : urgent).shift();
    },
  };
}
