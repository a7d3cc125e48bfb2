import type { ServerResponse } from 'node:http';
import { type HttpAnswer, send } from '../http-answer.ts';

/** What becomes of an answer: whatever went on before, the caller may see it late or not at all. */
export type Delivery = {
  readonly answer: HttpAnswer;
  readonly manner: 'at once' | 'late' | 'never' | 'cut';
};

export function atOnce(answer: HttpAnswer): Delivery {
  return { answer, manner: 'at once' };
}

export function deliver(response: ServerResponse, { answer, manner }: Delivery, lateMs: number): void {
  if (manner === 'cut') response.socket?.resetAndDestroy();
  else if (manner === 'late') setTimeout(() => response.destroyed || send(response, answer), lateMs).unref();
  else if (manner === 'at once') send(response, answer);
}
