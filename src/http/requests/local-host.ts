const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/iu;

/**
 * Whether a request to a loopback port names it as such. A web page elsewhere can point a name of its own to 127.0.0.1 and make a
 * browser on this machine read what is there (DNS rebinding); then `Host` has that name.
 */
export function namesLoopback(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_HOST.test(host.trim());
}
