const LOOPBACK = /^(?:localhost|::1|127\.\d+\.\d+\.\d+)$/iu;

/** Whether a name or an address is reached from this machine alone. An IPv6 address comes without brackets. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
