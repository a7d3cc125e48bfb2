import type { VariableReader } from './variable-reader.ts';

/** Each of these stands for all addresses of the machine. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];

type Listening = {
  readonly role: 'api' | 'worker' | 'all';
  readonly host: string;
  readonly port: number;
  readonly opsHost: string;
  readonly opsPort: number;
};

/** Two servers cannot listen on one port; 0 takes any free one. A worker serves no interface. */
export function refuseSharedPort(read: VariableReader, { role, host, port, opsHost, opsPort }: Listening): void {
  const isSameHost =
    addressOf(host) === addressOf(opsHost) || [host, opsHost].some((one) => EVERY_ADDRESS.includes(one));
  if (role === 'worker' || port === 0 || port !== opsPort || !isSameHost) return;
  read.error('OPS_PORT: must be another port than PORT, on which the interface listens');
}

function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}
