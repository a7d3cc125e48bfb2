import { OperatorError } from '../errors/operator-error.ts';
import type { CredentialReading, Pkcs12Content, Pkcs12Refusal } from '../ports/credentials.ts';

type Pems = Exclude<Pkcs12Content, { readonly refusal: Pkcs12Refusal }>;

const SENTENCES: Readonly<Record<Pkcs12Refusal, (detail: string) => string>> = {
  damaged: () => 'The file is no PKCS #12 file, or it is damaged.',
  'wrong-password': () => 'The password does not open the PKCS #12 file, or the file is damaged.',
  unsupported: (detail) =>
    `The PKCS #12 file is encrypted in a way that is not read here (${detail}). Convert it first: openssl pkcs12 -legacy -in <old.p12> -nodes -out <both.pem>, then openssl pkcs12 -export -in <both.pem> -out <new.p12>`,
  'no-key': () => 'The PKCS #12 file has no private key in it: export it together with the private key.',
  'several-keys': (detail) => `The PKCS #12 file has ${detail} private keys in it; export the one to sign with alone.`,
  'no-certificate': () => 'The PKCS #12 file has no certificate in it: export it together with the certificate.',
};

const EMPTY_PASSWORD = 'The password is empty and does not open the PKCS #12 file, or the file is damaged.';

/** Key and certificates of a PKCS #12 file (`.p12`, `.pfx`), in PEM. */
export function readPkcs12File(reading: Pick<CredentialReading, 'pkcs12'>, file: Uint8Array, password: string): Pems {
  const content = reading.pkcs12(file, password);
  if (!('refusal' in content)) return content;
  const { refusal, detail = '' } = content;
  const isEmpty = refusal === 'wrong-password' && password === '';
  throw new OperatorError('refused', isEmpty ? EMPTY_PASSWORD : SENTENCES[refusal](detail));
}
