import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/** Whether a person at a browser asks: programs that take anything get what programs read. */
export function prefersHtml(request: Pick<IncomingMessage, 'headers'>): boolean {
  return (
    new Negotiator(request).mediaType(['application/problem+json', 'application/json', 'text/html']) === 'text/html'
  );
}
