import { type AccountCheck, type Authority, AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { AuthorityEnvironment, Tenant } from '../../../domain/accounts/tenant.ts';
import { skopjeDay } from '../../../domain/values/skopje-day.ts';
import type { PreparationQueries } from '../preparation/prepare-document.ts';

type Needs = {
  readonly client: Pick<Authority, 'statusChanges'> &
    Pick<PreparationQueries, 'company'> & {
      readonly serverTime: (environment: AuthorityEnvironment) => Promise<number>;
    };
  readonly clock: Clock;
};

type Step = { readonly what: string; readonly look: () => Promise<string> };

/** Asks the authority, step by step, what a delivery would ask it; the first step that fails is the last. */
export function accountChecks({ client, clock }: Needs): Authority['check'] {
  return async (tenant) => {
    const checks: AccountCheck[] = [];
    for (const step of steps(tenant)) {
      const check = await checked(step);
      checks.push(check);
      if (!check.isOk) break;
    }
    return checks;
  };

  function steps(tenant: Tenant): readonly Step[] {
    return [
      {
        what: 'the authority answers',
        async look() {
          const offset = Math.round(((await client.serverTime(tenant.environment)) - clock.now()) / 1_000);
          return offset === 0
            ? 'Its clock agrees with ours.'
            : `Its clock is ${offset} s from ours, which is allowed for.`;
        },
      },
      {
        what: 'the register knows the taxpayer',
        async look() {
          const company = await client.company(tenant, tenant.edb);
          if (company === null) throw new AuthorityCallError('The register has no such taxpayer.', { kind: 'refused' });
          return company.name;
        },
      },
      {
        what: 'the signature is accepted',
        async look() {
          const changes = await client.statusChanges(tenant, skopjeDay(clock.now()));
          return `Changes of today: ${changes.length}.`;
        },
      },
    ];
  }
}

async function checked({ what, look }: Step): Promise<AccountCheck> {
  try {
    return { what, isOk: true, detail: await look() };
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    return { what, isOk: false, detail: error.message };
  }
}
