import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../support/process.ts';

/** Why tests that need OpenSSL 3 on the command line are skipped; false where it is there. */
export const NO_OPENSSL: string | false =
  spawnSync('openssl', ['version']).stdout?.toString().startsWith('OpenSSL 3') === true
    ? false
    : 'OpenSSL 3 is not on the command line.';

export type Export = {
  readonly certificatePem: string;
  readonly privateKeyPem: string | null;
  readonly password: string;
  readonly options?: readonly string[];
};

/** A PKCS #12 file as `openssl pkcs12 -export` makes it. */
export function exportPkcs12({ certificatePem, privateKeyPem, password, options = [] }: Export): Uint8Array {
  const folder = temporaryFolder();
  const [source, target] = [join(folder, 'both.pem'), join(folder, 'file.p12')];
  writeFileSync(source, `${privateKeyPem ?? ''}${certificatePem}`);
  const keys = privateKeyPem === null ? ['-nokeys'] : [];
  const words = ['pkcs12', '-export', '-in', source, '-out', target, '-passout', 'env:PASSWORD', ...keys, ...options];
  const { status, stderr } = spawnSync('openssl', words, { env: { ...process.env, PASSWORD: password } });
  if (status !== 0) throw new Error(String(stderr));
  return readFileSync(target);
}
