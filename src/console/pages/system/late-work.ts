import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import type { Figures } from './system-figures.ts';

/** From here on somebody should look: what is due is usually done within seconds. The alerts have the same limits, which a test compares. */
const LATE_SECONDS = { documents: 300, unknown: 3_600, containers: 3_600, tasks: 3_600 } as const;

const { received, processing, sent, accepted } = OUTBOUND_STATUS;

/** Of documents that are on their way, by how far they have come. */
export const QUEUES = [received, processing, sent] as const;
export const TASKS = ['collect', 'follow', 'lists'] as const;

type Queue = (typeof QUEUES)[number];
type Task = (typeof TASKS)[number];

export type Due = {
  /** For how long the longest due one has been due; null where nobody knows. */
  readonly seconds: number | null;
  readonly isLate: boolean;
};

/** What is due and for how long, of all tenants. */
export type DueWork = {
  readonly documents: Readonly<Record<Queue, Due>>;
  /** What was sent and has no outcome yet; by how long ago it was sent. */
  readonly unknown: Readonly<Record<'document' | 'void', Due>>;
  readonly containers: Due;
  readonly tasks: Readonly<Record<Task, Due>>;
};

/** What of it should be looked at, here and on the overview. */
export function dueWork(figures: Figures): DueWork {
  const due = (of: keyof typeof LATE_SECONDS, seconds: number | null) => ({
    seconds,
    isLate: seconds !== null && seconds > LATE_SECONDS[of],
  });
  const queue = (status: Queue | typeof accepted) => figures.get('outbound_oldest_due_seconds', String(status));
  const task = (name: Task) => due('tasks', figures.get('recurring_task_oldest_due_seconds', name));
  const unknown = (of: 'document' | 'void') => due('unknown', figures.get('outcome_unknown_seconds', of));
  return {
    documents: {
      [received]: due('documents', queue(received)),
      [processing]: due('documents', queue(processing)),
      [sent]: due('documents', queue(sent)),
    },
    unknown: { document: unknown('document'), void: unknown('void') },
    containers: due('containers', queue(accepted)),
    tasks: { collect: task('collect'), follow: task('follow'), lists: task('lists') },
  };
}
