import { KeyUnopened } from '../../../application/errors/key-unopened.ts';
import { ServiceStopping } from '../../../application/errors/service-unavailable.ts';
import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Signer, Signers } from '../../../application/ports/signer.ts';
import { isHeaderText } from '../../../domain/accounts/header-text.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import { inEnglish } from '../../../domain/messages/render.ts';

/** Who calls: the user (X-EUJP-ID) and the taxpayer (X-EDB), which every service but the server time requires (E4016). */
export function callerHeaders({ edb, eujpId }: Tenant): Readonly<Record<string, string>> {
  if (eujpId === null || eujpId.trim() === '') {
    throw credentialsError(message('account-without-user', { taxpayer: edb }));
  }
  if (!isHeaderText(eujpId)) {
    throw credentialsError(message('account-user-malformed', { taxpayer: edb }));
  }
  return { accept: 'application/json, */*', 'X-EUJP-ID': eujpId, 'X-EDB': edb };
}

export async function signerOf(signers: Signers, { edb }: Tenant): Promise<Signer> {
  const signer = await signers.find(edb).catch((cause: unknown) => {
    if (cause instanceof AuthorityCallError) throw cause;
    throw signingError(message('certificate-unreadable', { taxpayer: edb }), cause);
  });
  if (signer === null) throw credentialsError(message('certificate-missing', { taxpayer: edb }));
  return signer;
}

export async function signWith(signer: Signer, { edb }: Tenant, text: string): Promise<string> {
  try {
    return await signer.sign(text);
  } catch (cause) {
    if (cause instanceof AuthorityCallError || cause instanceof ServiceStopping) throw cause;
    const { serialNumber } = signer;
    throw signingError(message('certificate-not-signing', { serialNumber, taxpayer: edb }), cause);
  }
}

/** The account is incomplete, for every process alike. */
function credentialsError(reason: Message): AuthorityCallError {
  return new AuthorityCallError(inEnglish(reason), { kind: 'credentials', reason });
}

/** A failure of this process, which the authority has said nothing about: another process may succeed. */
function signingError(reason: Message, cause: unknown): AuthorityCallError {
  // Operators read the message: it says which setting is wrong, which is no concern of accountants.
  const text = cause instanceof KeyUnopened ? cause.message : inEnglish(reason);
  return new AuthorityCallError(text, { kind: 'signing', reason, cause });
}
