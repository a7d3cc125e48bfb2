import type { AuthorityEnvironment } from '../domain/tenant.ts';
import { OperatorError } from './operator-error.ts';

export const OUTAGE_KINDS = ['502-html', 'refuse', 'timeout'] as const;
export type OutageKind = (typeof OUTAGE_KINDS)[number];

/** How an installation of the authority fails; null while it works. */
export type OutageState = { readonly installation: AuthorityEnvironment; readonly kind: OutageKind | null };

/** The levers of the simulated authority. */
export type SimulatorLevers = {
  readonly outage: (installation: AuthorityEnvironment) => Promise<OutageKind | null>;
  readonly setOutage: (installation: AuthorityEnvironment, kind: OutageKind | null) => Promise<OutageKind | null>;
};

export type StageOutage = (
  installation: AuthorityEnvironment,
  order: OutageKind | 'none' | 'show',
) => Promise<OutageState>;

/** Breaks and mends an installation of the simulated authority, to rehearse what happens then. */
export function stageOutage({ levers }: { readonly levers: SimulatorLevers | null }): StageOutage {
  return async (installation, order) => {
    if (levers === null) {
      throw new OperatorError(
        'refused',
        'Outages are staged in the demo environment alone: the authority is real here.',
      );
    }
    if (order === 'show') return { installation, kind: await levers.outage(installation) };
    return { installation, kind: await levers.setOutage(installation, order === 'none' ? null : order) };
  };
}
