import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';

/** Where one installation of the authority is reached. */
export type AuthorityUrls = {
  /** Root of its query services. */
  readonly query: string;
  /** Root of the receiver of documents. */
  readonly receiver: string;
  /** Where QR codes lead. */
  readonly portal: string;
};

/** Null where the operator has not configured an installation. */
export type InstallationUrls = Readonly<Record<AuthorityEnvironment, AuthorityUrls | null>>;

export function urlsOf(installations: InstallationUrls, environment: AuthorityEnvironment): AuthorityUrls {
  const urls = installations[environment];
  if (urls !== null) return urls;
  const sentence = `The operator has not configured the authority's ${environment} installation: its URL is missing`;
  throw new AuthorityCallError(sentence, { kind: 'credentials' });
}

/** A slash at the end of a configured URL does no harm. */
export function below(root: string, path: string): string {
  return `${root.replace(/\/+$/u, '')}/${path}`;
}

/** Where a document's QR code leads. */
export function qrLinkOf({ portal }: AuthorityUrls, euid: string): string {
  return below(portal, `euid/${euid}`);
}
