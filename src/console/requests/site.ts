import type { IncomingMessage } from 'node:http';

/** By which address a browser has reached the console. */
export type Site = {
  /** What a browser names as the origin of a form of ours. */
  readonly origin: string;
  /** Whether the browser's connection is encrypted. */
  readonly isSecure: boolean;
  readonly cookieName: string;
};

type Needs = {
  readonly isLoopback: (host: string) => boolean;
  readonly isTrustedProxy: (address: string) => boolean;
};

const HOST = /^[a-z0-9.:[\]-]+$/u;
const LONGEST_HOST = 260;
const PORT = /:(\d{1,5})$/u;
/** By these a proxy says whose request it passes on. No browser sends them. */
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Null where passwords and sessions would not be safe: the console is served on this machine itself, named so, or through a trusted proxy that
 * has taken the request over TLS. A web page elsewhere that points a name of its own to 127.0.0.1 gets nothing.
 */
export function siteOf(
  { socket, headers, httpVersion }: IncomingMessage,
  { isLoopback, isTrustedProxy }: Needs,
): Site | null {
  const host = headers.host?.trim().toLowerCase() ?? '';
  const from = socket.remoteAddress;
  if (host.length > LONGEST_HOST || !HOST.test(host) || !URL.canParse(`https://${host}`)) return null;
  if (from === undefined) return null;
  if (headers['x-forwarded-proto'] === 'https' && isTrustedProxy(from)) {
    return { origin: `https://${host}`, isSecure: true, cookieName: '__Host-dostava-console' };
  }
  // Whoever comes through a proxy is elsewhere, although proxies on this machine call it by its loopback name unless told otherwise. nginx
  // then says nothing of itself either, but in most of its versions speaks HTTP/1.0, which no browser does.
  if (httpVersion === '1.0' || OF_PROXIES.some((name) => headers[name] !== undefined)) return null;
  const port = PORT.exec(host)?.[1];
  const name = host.replace(PORT, '').replace(/^\[|\]$/gu, '');
  if (!isLoopback(name) || !isLoopback(from.replace(/^::ffff:/u, ''))) return null;
  // Browsers send cookies to every port of a machine: two services on it must not end each other's sessions.
  return { origin: `http://${host}`, isSecure: false, cookieName: `dostava-console-${port ?? '80'}` };
}
