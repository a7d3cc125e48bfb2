import type { TenantChanges } from '../../../application/accounts/manage-tenants.ts';
import { askSecret } from '../../ask.ts';
import { type Arguments, UsageError } from '../../command.ts';
import type { Operator } from '../../operator.ts';
import { readWholeFile } from '../../read-whole-file.ts';

export const CREDENTIAL_OPTIONS = {
  certificate: { value: 'file.pem', help: 'The certificate that documents are signed with, in PEM.' },
  'private-key': { value: 'file.pem', help: 'Its private key, in PEM and not encrypted; it is kept sealed.' },
  pkcs12: {
    value: 'file.p12',
    help: 'Certificate and private key in one file instead. Its password is asked for, unless PKCS12_PASSWORD has it.',
  },
  'password-file': {
    value: 'file',
    help: 'A file whose first line is the password of the PKCS #12 file; it may be empty.',
  },
  'signing-command': {
    value: 'NAME',
    help: 'Instead of a private key: the command of SIGNING_COMMAND_<NAME>, which signs with a key in a token.',
  },
};

/** Real files have a few kilobytes. */
const MAX_PKCS12_BYTES = 1_048_576;
const MAX_PASSWORD_BYTES = 4_096;

type Credentials = Pick<Operator, 'credentials' | 'pkcs12Password'>;

/** Stores the credential that the options give, with other changes of the taxpayer; null when they give none. */
export async function readCredential(
  given: Arguments,
): Promise<((to: Credentials, edb: string, changes: TenantChanges) => Promise<void>) | null> {
  const [certificate, key, pkcs12, command] = ['certificate', 'private-key', 'pkcs12', 'signing-command'].map((name) =>
    given.option(name),
  ) as [string | null, string | null, string | null, string | null];
  if (given.option('password-file') !== null && pkcs12 === null)
    throw new UsageError('--password-file needs --pkcs12.');
  if (pkcs12 !== null) {
    if (certificate !== null || key !== null || command !== null) throw new UsageError('--pkcs12 stands alone.');
    const passwordFile = given.option('password-file');
    return async (to, edb, changes) => {
      const bytes = await readWholeFile(pkcs12, MAX_PKCS12_BYTES);
      await to.credentials.setPkcs12(edb, bytes, await passwordOf(to, pkcs12, passwordFile), changes);
    };
  }
  if (certificate === null && key === null && command === null) return null;
  if (certificate === null || (key === null) === (command === null)) {
    throw new UsageError('--certificate and either --private-key or --signing-command go together.');
  }
  const certificatePem = await readText(certificate);
  if (command !== null)
    return async ({ credentials }, edb, changes) =>
      void (await credentials.setCommand(edb, certificatePem, command, changes));
  const keyPem = await readText(key ?? '');
  return async ({ credentials }, edb, changes) => void (await credentials.set(edb, certificatePem, keyPem, changes));
}

/** Never from an option: the command line of a process is visible to every user of the machine. */
async function passwordOf({ pkcs12Password }: Credentials, file: string, passwordFile: string | null): Promise<string> {
  if (passwordFile !== null) {
    const [line = ''] = Buffer.from(await readWholeFile(passwordFile, MAX_PASSWORD_BYTES))
      .toString('utf8')
      .split(/\r?\n/u);
    return line;
  }
  const instead = 'Give --password-file, or set PKCS12_PASSWORD.';
  return pkcs12Password ?? (await askSecret(`Password of ${file}: `, instead));
}

/** PEM is ASCII. Latin-1 decodes any bytes, so that a file that is not PEM is reported as such instead of failing here. */
async function readText(file: string): Promise<string> {
  return Buffer.from(await readWholeFile(file)).toString('latin1');
}
