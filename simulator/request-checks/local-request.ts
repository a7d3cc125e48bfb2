import { type HttpAnswer, MISDIRECTED, NOT_FOUND } from '../http-answer.ts';
import { type HttpRequest, headerOf } from '../http-request.ts';

const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/u;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/iu;
const LOOPBACK_ORIGIN = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/iu;

/** Whether a simulator that listens there is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || LOOPBACK_ADDRESS.test(host);
}

/**
 * Why a request that only programs of this machine may make is refused; null for one of them. A web page elsewhere can make a browser
 * here send requests to this address, under a name of its own that it points here (DNS rebinding): then `Host` has that name, and
 * `Origin` the page's.
 */
export function refusalOfOthers(request: HttpRequest, address: string): HttpAnswer | null {
  if (!LOOPBACK_ADDRESS.test(address)) return NOT_FOUND;
  if (!LOOPBACK_HOST.test(headerOf(request, 'host'))) return MISDIRECTED;
  const origin = headerOf(request, 'origin');
  return origin === '' || LOOPBACK_ORIGIN.test(origin) ? null : NOT_FOUND;
}
