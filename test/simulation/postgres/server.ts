import type { VirtualTime } from '../world/virtual-time.ts';
import type { Connection } from './connection.ts';
import type { Scheduler } from './scheduler.ts';
import type { Session } from './session.ts';

/** The database server as all processes of one history see it. */
export type SimulatedServer = {
  readonly scheduler: Scheduler;
  /** Those that it knows of, also where nobody is left at the other end. */
  readonly connections: Set<Connection>;
  readonly take: () => Promise<Session>;
  readonly giveBack: (session: Session) => void;
  /** What its own clock shows. */
  readonly clockAt: (time: VirtualTime) => number;
  readonly isDown: (time: VirtualTime) => boolean;
  /** Something of documents was changed for all to see. */
  readonly noteCommit: () => void;
};
