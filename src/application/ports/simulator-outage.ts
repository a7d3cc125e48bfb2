import type { AuthorityEnvironment } from '../../domain/accounts/tenant.ts';

export const OUTAGE_KINDS = ['502-html', 'refuse', 'timeout'] as const;
export type OutageKind = (typeof OUTAGE_KINDS)[number];

/** `kind` says how the installation fails; null when it works. */
export type OutageState = { readonly installation: AuthorityEnvironment; readonly kind: OutageKind | null };

/** Starts, ends or shows an outage of the simulated authority. */
export type StageOutage = (
  installation: AuthorityEnvironment,
  order: OutageKind | 'none' | 'show',
) => Promise<OutageState>;
