import { AuthorityCallError, type Signer, type Signers } from '../../../application/ports/authority.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';

/** Printable ASCII: every HTTP implementation reads it alike, and no value can add a header line. */
const HEADER_TEXT = /^[\x20-\x7e]+$/u;

export function isHeaderText(text: string): boolean {
  return HEADER_TEXT.test(text);
}

/** Who calls: the user (X-EUJP-ID) and the taxpayer (X-EDB), which every service but the server time requires (E4016). */
export function callerHeaders({ edb, eujpId }: Tenant): Readonly<Record<string, string>> {
  if (eujpId === null || eujpId.trim() === '') {
    throw credentialsError(`Taxpayer ${edb} has no EUJP-ID, which the authority requires for every request`);
  }
  if (!isHeaderText(eujpId)) {
    throw credentialsError(`The EUJP-ID of taxpayer ${edb} has characters that are not allowed in an EUJP-ID`);
  }
  return { accept: 'application/json, */*', 'X-EUJP-ID': eujpId, 'X-EDB': edb };
}

export async function signerOf(signers: Signers, { edb }: Tenant): Promise<Signer> {
  const signer = await signers.find(edb).catch((cause: unknown) => {
    if (cause instanceof AuthorityCallError) throw cause;
    throw credentialsError(`The certificate of taxpayer ${edb} cannot be opened`, cause);
  });
  if (signer === null) throw credentialsError(`Taxpayer ${edb} has no certificate to sign with`);
  return signer;
}

export async function signWith(signer: Signer, { edb }: Tenant, text: string): Promise<string> {
  try {
    return await signer.sign(text);
  } catch (cause) {
    if (cause instanceof AuthorityCallError) throw cause;
    throw credentialsError(`Certificate ${signer.serialNumber} of taxpayer ${edb} could not sign`, cause);
  }
}

function credentialsError(sentence: string, cause?: unknown): AuthorityCallError {
  return new AuthorityCallError(sentence, { kind: 'credentials', cause });
}
