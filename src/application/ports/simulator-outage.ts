import type { AuthorityEnvironment } from '../../domain/accounts/tenant.ts';

export const OUTAGE_KINDS = ['502-html', 'refuse', 'timeout'] as const;
export type OutageKind = (typeof OUTAGE_KINDS)[number];

/** How an installation of the authority fails; null while it works. */
export type OutageState = { readonly installation: AuthorityEnvironment; readonly kind: OutageKind | null };

/** Breaks and repairs an installation of the simulated authority, to rehearse an outage. */
export type StageOutage = (
  installation: AuthorityEnvironment,
  order: OutageKind | 'none' | 'show',
) => Promise<OutageState>;
