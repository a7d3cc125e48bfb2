import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../../application/errors/problem.ts';

/** The bodies that are being received, so that they can be refused by their routes when their time is over. */
export type BodiesUnderWay = {
  /** A request whose body may follow. What happens to it before its route reads it is kept for the route to answer. */
  readonly expect: (request: IncomingMessage) => void;
  /** Returns what to call when the body was read or was refused otherwise. */
  readonly add: (request: IncomingMessage, refuse: (problem: Problem) => void) => () => void;
  /** Refuses the request that is arriving on the connection. False when none is: all that have begun to arrive have arrived whole. */
  readonly refuse: (socket: Socket, problem: Problem) => boolean;
  /** Refuses all requests that have not arrived whole. */
  readonly refuseAll: (problem: Problem) => void;
};

export function createBodiesUnderWay(): BodiesUnderWay {
  const bodies = new Map<IncomingMessage, (problem: Problem) => void>();
  /** The last request on a connection is the only one of which a part may be missing. */
  const lastOn = new WeakMap<Socket, IncomingMessage>();
  const refused = new WeakMap<IncomingMessage, Problem>();
  return {
    expect(request) {
      lastOn.set(request.socket, request);
    },
    add(request, refuse) {
      bodies.set(request, refuse);
      const problem = refused.get(request);
      if (problem !== undefined) queueMicrotask(() => refuse(problem));
      return () => void bodies.delete(request);
    },
    refuse(socket, problem) {
      const request = lastOn.get(socket);
      if (request === undefined || request.complete) return false;
      if (refused.has(request)) return true;
      refused.set(request, problem);
      bodies.get(request)?.(problem);
      return true;
    },
    refuseAll(problem) {
      for (const [request, refuse] of [...bodies]) if (!request.complete) refuse(problem);
    },
  };
}
