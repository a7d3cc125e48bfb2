import { AuthorityCallError, type Signer, type Signers } from '../../../application/ports/authority.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';

/** What a header can carry without anybody reading it differently. */
const HEADER_TEXT = /^[\x20-\x7e]+$/u;

export function isHeaderText(text: string): boolean {
  return HEADER_TEXT.test(text);
}

/** In whose name a call is made; the authority answers nobody it does not know. */
export function callerHeaders({ edb, eujpId }: Tenant): Readonly<Record<string, string>> {
  if (eujpId === null || eujpId.trim() === '') {
    throw unable(`Taxpayer ${edb} has no EUJP-ID, without which the authority answers nothing`);
  }
  if (!isHeaderText(eujpId)) {
    throw unable(`The EUJP-ID of taxpayer ${edb} holds characters that no EUJP-ID can have`);
  }
  return { accept: 'application/json, */*', 'X-EUJP-ID': eujpId, 'X-EDB': edb };
}

export async function signerOf(signers: Signers, { edb }: Tenant): Promise<Signer> {
  const signer = await signers.find(edb).catch((cause: unknown) => {
    if (cause instanceof AuthorityCallError) throw cause;
    throw unable(`The certificate of taxpayer ${edb} cannot be opened`, cause);
  });
  if (signer === null) throw unable(`Taxpayer ${edb} has no certificate to sign with`);
  return signer;
}

export async function signedWith(signer: Signer, { edb }: Tenant, text: string): Promise<string> {
  try {
    return await signer.sign(text);
  } catch (cause) {
    if (cause instanceof AuthorityCallError) throw cause;
    throw unable(`Certificate ${signer.serialNumber} of taxpayer ${edb} does not sign`, cause);
  }
}

function unable(sentence: string, cause?: unknown): AuthorityCallError {
  return new AuthorityCallError(sentence, { kind: 'credentials', cause });
}
