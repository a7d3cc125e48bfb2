import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../../application/errors/problem.ts';

/** The bodies that are being received, so that they can be refused by their routes when their time is over. */
export type BodiesUnderWay = {
  /** A request whose body may follow. What happens to it before its route reads it is kept for the route to answer. */
  readonly expect: (request: IncomingMessage) => void;
  /** Returns what to call when the body is complete or was refused otherwise. */
  readonly add: (socket: Socket, refuse: (problem: Problem) => void) => () => void;
  /** False when no body is received or expected on the connection; true also for one that was refused before and is being answered. */
  readonly refuse: (socket: Socket, problem: Problem) => boolean;
  readonly refuseAll: (problem: Problem) => void;
};

export function createBodiesUnderWay(): BodiesUnderWay {
  const bodies = new Map<Socket, (problem: Problem) => void>();
  const expected = new WeakMap<Socket, IncomingMessage>();
  const early = new WeakMap<Socket, Problem>();
  const refused = new WeakSet<Socket>();
  return {
    expect(request) {
      expected.set(request.socket, request);
    },
    add(socket, refuse) {
      bodies.set(socket, refuse);
      const problem = early.get(socket);
      if (problem !== undefined) queueMicrotask(() => refuse(problem));
      return () => void bodies.delete(socket);
    },
    refuse(socket, problem) {
      const refuse = bodies.get(socket);
      const isExpected = expected.get(socket)?.complete === false;
      if (refuse === undefined && isExpected && !refused.has(socket)) early.set(socket, problem);
      if (refuse !== undefined || isExpected) refused.add(socket);
      refuse?.(problem);
      return refused.has(socket);
    },
    refuseAll(problem) {
      for (const refuse of [...bodies.values()]) refuse(problem);
    },
  };
}
