import type { Socket } from 'node:net';
import type { Problem } from '../../application/errors/problem.ts';
import type { Clock, Timers } from '../../application/ports/platform.ts';
import { CACHE_HEADERS } from '../answers/cache-headers.ts';
import { type Links, PROBLEM_TYPE, problemBody } from '../answers/problem-response.ts';
import { closeAfterAnswer } from './close-after-answer.ts';

export type SocketAnswerNeeds = {
  readonly links: Links;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly newId: () => string;
};

/** Answers a connection on which there is no request to answer, and closes it. */
export function answerOnSocket(socket: Socket, problem: Problem, needs: SocketAnswerNeeds): void {
  const { links, clock, timers, newId } = needs;
  const body = JSON.stringify(problemBody(problem, links));
  // Without a listener, an error on this socket would end the process; outside a request nothing else listens.
  socket.on('error', () => socket.destroy());
  socket.write(
    [
      `HTTP/1.1 ${problem.status} ${problem.title}`,
      `content-type: ${PROBLEM_TYPE}`,
      // As on every other answer: nothing for caches, an identifier to quote, and the time.
      ...Object.entries(CACHE_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `x-request-id: ${newId()}`,
      `date: ${new Date(clock.now()).toUTCString()}`,
      `content-length: ${Buffer.byteLength(body)}`,
      ...(problem.allow === null ? [] : [`allow: ${problem.allow}`]),
      ...(problem.retryAfterSeconds === null ? [] : [`retry-after: ${problem.retryAfterSeconds}`]),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  closeAfterAnswer(socket, timers);
}
