import { isAbsolute } from 'node:path';
import type { VariableReader } from './variable-reader.ts';

/** A relative one is another folder for whoever starts a service or gives a command elsewhere. */
export function refuseRelativeFolders(read: VariableReader, names: readonly string[]): void {
  for (const name of names) {
    if (!isAbsolute(read.text(name, '/'))) read.error(`${name}: must be an absolute folder, which begins with /`);
  }
}

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

const UNVERIFIED_TLS = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** A variable of Node, and often advised where a certificate is not accepted: with it every certificate is, of whoever is on the way. */
export function refuseUnverifiedTls(read: VariableReader, acceptance: string): void {
  if (read.text(UNVERIFIED_TLS, '') !== '0') return;
  read.error(
    `${UNVERIFIED_TLS}: must not be 0, because anybody could answer in place of the authority; name the certificate of its issuer in NODE_EXTRA_CA_CERTS (or set ${acceptance})`,
  );
}
