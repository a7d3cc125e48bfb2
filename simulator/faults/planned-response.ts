import type { ServerResponse } from 'node:http';
import { type HttpAnswer, send } from '../http-answer.ts';

/** An answer and how the caller gets it: at once, late, never, or as a cut connection. */
export type PlannedResponse = {
  readonly answer: HttpAnswer;
  readonly timing: 'immediate' | 'delayed' | 'never' | 'disconnect';
};

export function immediately(answer: HttpAnswer): PlannedResponse {
  return { answer, timing: 'immediate' };
}

export function respond(response: ServerResponse, { answer, timing }: PlannedResponse, delayMs: number): void {
  if (timing === 'disconnect') response.socket?.resetAndDestroy();
  else if (timing === 'delayed') setTimeout(() => response.destroyed || send(response, answer), delayMs).unref();
  else if (timing === 'immediate') send(response, answer);
}
