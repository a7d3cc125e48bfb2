import type { VariableReader } from './variable-reader.ts';

const NAME = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** A variable of Node, and often advised where a certificate is not accepted: with it every certificate is, of whoever is on the way. */
export function refuseUnverifiedTls(read: VariableReader, acceptance: string): void {
  if (read.text(NAME, '') !== '0') return;
  read.error(
    `${NAME}: must not be 0, because anybody could answer in place of the authority; name the certificate of its issuer in NODE_EXTRA_CA_CERTS (or set ${acceptance})`,
  );
}
