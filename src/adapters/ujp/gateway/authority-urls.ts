import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';
import { message } from '../../../domain/messages/message.ts';
import { inEnglish } from '../../../domain/messages/render.ts';

/** The addresses of one installation of the authority. */
export type AuthorityUrls = {
  /** Root of the query API (`einvoice_api`). */
  readonly query: string;
  /** Root of the document receiver (`JSONReceiver`). */
  readonly receiver: string;
  /** Root of the public pages that QR codes link to. */
  readonly portal: string;
};

/** Null for an installation that the operator has not configured. */
export type InstallationUrls = Readonly<Record<AuthorityEnvironment, AuthorityUrls | null>>;

export function urlsOf(installations: InstallationUrls, environment: AuthorityEnvironment): AuthorityUrls {
  const urls = installations[environment];
  if (urls !== null) return urls;
  const reason = message('installation-unknown', { environment });
  throw new AuthorityCallError(inEnglish(reason), { kind: 'credentials', reason });
}

/** Tolerates slashes at the end of a configured root. */
export function joinUrl(root: string, path: string): string {
  return `${root.replace(/(?<!\/)\/+$/u, '')}/${path}`;
}

/** The public page of a registered document. */
export function qrLinkOf({ portal }: AuthorityUrls, euid: string): string {
  return joinUrl(portal, `euid/${euid}`);
}
