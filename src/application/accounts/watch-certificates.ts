import { daysLeft, type ExpiryWarning, expiryWarning } from '../../domain/accounts/certificate-expiry.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import type { Clock } from '../ports/platform.ts';
import type { CredentialStore, SealedCredential } from '../ports/storage/credential-store.ts';

type Needs = { readonly credentials: Pick<CredentialStore, 'facts'>; readonly clock: Clock };

/** A tenant's certificate, and how long it can still be used. */
export type CertificateTerm = Pick<SealedCredential, 'tenant' | 'serialNumber' | 'validTo'> & {
  readonly daysLeft: number;
  /** So many days before the end the operator is told; null while there is time. */
  readonly warning: ExpiryWarning | null;
};

export type ListCertificates = () => Promise<readonly CertificateTerm[]>;

/** The certificates of all tenants; what expires first comes first. */
export function listCertificates({ credentials, clock }: Needs): ListCertificates {
  return async () => {
    const now = clock.now();
    const terms = (await credentials.facts()).map(({ tenant, serialNumber, validTo }) => {
      const left = { daysLeft: daysLeft(validTo, now), warning: expiryWarning(validTo, now) };
      return { tenant, serialNumber, validTo, ...left };
    });
    return terms.toSorted((one, other) => one.validTo - other.validTo);
  };
}

/** Looks at all certificates; tells each warning once, also for a certificate that takes the place of another. */
export function watchCertificates({
  list,
  onLook,
  onWarning,
}: {
  readonly list: ListCertificates;
  readonly onLook: (all: readonly CertificateTerm[]) => void;
  readonly onWarning: (term: CertificateTerm) => void;
}): () => Promise<void> {
  let told = new Map<Edb, string>();
  return async () => {
    const all = await list();
    onLook(all);
    const due = all.filter(({ warning }) => warning !== null);
    const before = told;
    told = new Map(due.map((term) => [term.tenant, `${term.serialNumber} ${term.warning}`]));
    for (const term of due) if (before.get(term.tenant) !== told.get(term.tenant)) onWarning(term);
  };
}
