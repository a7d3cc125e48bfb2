import { type AccountCheck, type Authority, AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { skopjeDay } from '../../../domain/values/skopje-day.ts';
import type { AuthorityQueries } from './authority-queries.ts';

type Needs = {
  readonly client: Pick<Authority, 'statusChanges'> & Pick<AuthorityQueries, 'company' | 'serverTime'>;
  readonly clock: Clock;
};

type Step = { readonly what: string; readonly run: () => Promise<string> };

/** Tries the calls that a delivery needs, one after the other, and stops at the first that fails. */
export function accountChecks({ client, clock }: Needs): Authority['check'] {
  return async (tenant) => {
    const checks: AccountCheck[] = [];
    for (const step of steps(tenant)) {
      const check = await runStep(step);
      checks.push(check);
      if (!check.isOk) break;
    }
    return checks;
  };

  function steps(tenant: Tenant): readonly Step[] {
    return [
      {
        what: 'the authority answers',
        async run() {
          const offset = Math.round(((await client.serverTime(tenant.environment)) - clock.now()) / 1_000);
          return offset === 0
            ? 'Its clock agrees with ours.'
            : `Its clock differs from ours by ${offset} s; requests are adjusted.`;
        },
      },
      {
        what: 'the register knows the taxpayer',
        async run() {
          const company = await client.company(tenant, tenant.edb);
          if (company === null) throw new AuthorityCallError('The register has no such taxpayer.', { kind: 'refused' });
          return company.name;
        },
      },
      {
        what: 'the signature is accepted',
        async run() {
          const changes = await client.statusChanges(tenant, skopjeDay(clock.now()));
          return `Status changes today: ${changes.length}.`;
        },
      },
    ];
  }
}

async function runStep({ what, run }: Step): Promise<AccountCheck> {
  try {
    return { what, isOk: true, detail: await run() };
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    return { what, isOk: false, detail: error.message };
  }
}
