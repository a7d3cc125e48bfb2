import type { Socket } from 'node:net';
import type { Problem } from '../../application/errors/problem.ts';

/** The bodies that are being received, so that they can be refused by their routes when their time is over. */
export type BodiesUnderWay = {
  /** Returns what to call when the body is complete or was refused otherwise. */
  readonly add: (socket: Socket, refuse: (problem: Problem) => void) => () => void;
  /** False when no body is received on the connection; true also for one that was refused before and is being answered. */
  readonly refuse: (socket: Socket, problem: Problem) => boolean;
  readonly refuseAll: (problem: Problem) => void;
};

export function createBodiesUnderWay(): BodiesUnderWay {
  const bodies = new Map<Socket, (problem: Problem) => void>();
  const refused = new WeakSet<Socket>();
  return {
    add(socket, refuse) {
      bodies.set(socket, refuse);
      return () => void bodies.delete(socket);
    },
    refuse(socket, problem) {
      const refuse = bodies.get(socket);
      if (refuse !== undefined) refused.add(socket);
      refuse?.(problem);
      return refused.has(socket);
    },
    refuseAll(problem) {
      for (const refuse of [...bodies.values()]) refuse(problem);
    },
  };
}
