import { subtle } from 'node:crypto';
import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { SigningCommands } from '../../../application/ports/credentials.ts';
import type { Signer } from '../../../application/ports/signer.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import { isSignatureOf, sha256DigestInfo } from '../../platform/rsa-signature.ts';
import { jwsSigner } from './jws-signer.ts';
import { readCertificates } from './pem-signer.ts';

type Command = { readonly name: string; readonly tenant: Edb };

/** Signs by a command that has the key. No signature is used that the certificate does not confirm. */
export function createCommandSigner(
  certificatePem: string,
  { name, tenant }: Command,
  commands: Pick<SigningCommands, 'sign'>,
): Signer {
  const [certificate] = readCertificates(certificatePem);
  if (certificate === undefined) throw new Error('There is no certificate in PEM.');
  const { publicKey } = certificate;
  const signer = jwsSigner(certificate, async (bytes) => {
    // Unlike `hash`, it does not keep the thread that answers from answering while a large document is hashed.
    const digestInfo = sha256DigestInfo(new Uint8Array(await subtle.digest('SHA-256', Uint8Array.from(bytes))));
    const owner = { tenant, serialNumber: signer.serialNumber };
    const signature = await commands.sign(name, owner, digestInfo);
    if (isSignatureOf(publicKey, digestInfo, signature)) return signature;
    const sentence = `The signing command ${name} signed with another key than that of certificate ${signer.serialNumber}`;
    throw new AuthorityCallError(sentence, { kind: 'signing' });
  });
  return { ...signer, isExternal: true };
}
