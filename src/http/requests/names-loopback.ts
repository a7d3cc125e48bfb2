const HOST_HEADER = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d+)?$/u;

/**
 * Whether a request to a loopback port names it as such in `Host`. A web page elsewhere can point a name of its own to 127.0.0.1 and
 * make a browser on this machine read what is there (DNS rebinding); then `Host` has that name.
 */
export function namesLoopback(host: string, isLoopback: (name: string) => boolean): boolean {
  const [, address, name] = HOST_HEADER.exec(host.trim()) ?? [];
  return isLoopback(address ?? name ?? '');
}
