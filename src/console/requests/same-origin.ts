import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was sent from a page of ours. Browsers name the origin of every form that is sent by POST; one that does not is none that
 * an operator uses.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  return headers.origin === origin && (site === undefined || site === 'same-origin');
}
