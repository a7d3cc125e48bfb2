import { type HttpRequest, headerOf } from '../http-request.ts';

const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/u;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/iu;
const LOOPBACK_ORIGIN = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/iu;

/** Whether a simulator that listens there is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || LOOPBACK_ADDRESS.test(host);
}

/**
 * Whether a program of this machine asks. A web page elsewhere can make a browser here send requests to this address, under a
 * name of its own that it points here (DNS rebinding): then `Host` has that name, and `Origin` the page's.
 */
export function isLocalRequest(request: HttpRequest, address: string): boolean {
  const origin = headerOf(request, 'origin');
  const isLocalPage = origin === '' || LOOPBACK_ORIGIN.test(origin);
  return LOOPBACK_ADDRESS.test(address) && LOOPBACK_HOST.test(headerOf(request, 'host')) && isLocalPage;
}
