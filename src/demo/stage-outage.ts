import { OperatorError } from '../application/errors/operator-error.ts';
import type { Timers } from '../application/ports/platform.ts';
import type { OutageKind, StageOutage } from '../application/ports/simulator-outage.ts';
import type { Config } from '../config.ts';
import type { AuthorityEnvironment } from '../domain/accounts/tenant.ts';
import { callSimulatorAdmin } from './simulator-admin.ts';

export function stageOutage({ environment, authorityUrls }: Config, timers: Timers): StageOutage {
  return async (installation, order) => {
    if (environment !== 'demo') {
      throw new OperatorError(
        'refused',
        'Outages can be simulated only in the demo environment: here the authority is real.',
      );
    }
    return { installation, kind: await callOutage(installation, order) };
  };

  async function callOutage(installation: AuthorityEnvironment, order: OutageKind | 'none' | 'show') {
    const url = `${authorityUrls[installation]?.portal ?? ''}/admin/outage`;
    const body = order === 'show' ? undefined : order === 'none' ? { on: false } : { on: true, kind: order };
    const answer = (await callSimulatorAdmin(timers, url, body)) as { readonly kind: OutageKind | null };
    return answer.kind;
  }
}
