import { type AccountCheck, type Authority, AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { daysAfter, skopjeDay } from '../../../domain/values/skopje-day.ts';
import type { AuthorityQueries } from './authority-queries.ts';

type Needs = {
  readonly client: Pick<Authority, 'statusChanges' | 'arrivals' | 'arrived' | 'container'> &
    Pick<AuthorityQueries, 'company' | 'serverTime' | 'askForPdf'>;
  readonly clock: Clock;
};

type Step = { readonly what: string; readonly run: () => Promise<string> };
type Right = Step & { readonly code: string };

/** Less than the month that the authority lists at most. */
const LISTED_DAYS = 27;
const MISSING_RIGHTS: ReadonlySet<string> = new Set(['E1011', 'E1013']);
/** The authority knows no such document: whoever may not download is refused for that reason before. */
const NOT_FOUND: ReadonlySet<string> = new Set(['E1018', 'E1021', 'E4008']);
/** Of the form of an EUID, and none: it begins with the year 1970. */
const NO_DOCUMENT = '00000000-0000-7000-8000-000000000000';

const NOT_REFUSED = 'Not refused for a missing right; there was no document to download.';

const ACCEPTANCE: AccountCheck = {
  what: 'inbound documents can be accepted or rejected',
  isOk: true,
  isUntested: true,
  detail: 'Cannot be tested without accepting a document.',
};

/**
 * Tries the calls that a delivery needs, one after the other, and stops at the first that fails; then each right by itself. Nothing
 * is changed at the authority.
 */
export function accountChecks({ client, clock }: Needs): Authority['check'] {
  return async (tenant) => {
    const checks: AccountCheck[] = [];
    for (const step of steps(tenant)) {
      const check = await runStep(step);
      checks.push(check);
      if (!check.isOk) return checks;
    }
    return [...checks, ...(await checkRights(tenant))];
  };

  async function checkRights(tenant: Tenant): Promise<readonly AccountCheck[]> {
    let euid = NO_DOCUMENT;
    const list = await runStep({
      what: 'inbound documents are listed',
      async run() {
        const today = skopjeDay(clock.now());
        const { listed } = await client.arrivals(tenant, daysAfter(today, -LISTED_DAYS), today);
        euid = listed[0]?.euid ?? NO_DOCUMENT;
        return `In the last ${LISTED_DAYS} days: ${listed.length}.`;
      },
    });
    const checks = [list];
    for (const right of rights(tenant, euid)) checks.push(await runStep({ ...right, run: () => tryRight(right) }));
    return [...checks, ACCEPTANCE];
  }

  function rights(tenant: Tenant, euid: string): readonly Right[] {
    const askedFor = euid === NO_DOCUMENT ? NOT_REFUSED : `Tried with ${euid}.`;
    const right = (code: string, what: string, call: () => Promise<unknown>): Right => ({
      code,
      what: `${what} can be downloaded (right ${code})`,
      run: () => call().then(() => askedFor),
    });
    return [
      right('RD', 'payloads', () => client.arrived(tenant, [euid])),
      right('DP', 'PDFs', () => client.askForPdf(tenant, euid)),
      right('DA', 'containers', () => client.container(tenant, euid)),
    ];
  }

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

async function tryRight({ code, run }: Right): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    if (reports(error, MISSING_RIGHTS)) {
      const sentence = `The right ${code} is missing; it is granted in e-UJP. ${error.message}`;
      throw new AuthorityCallError(sentence, { kind: error.kind });
    }
    if (reports(error, NOT_FOUND)) return NOT_REFUSED;
    throw error;
  }
}

function reports({ errors }: AuthorityCallError, codes: ReadonlySet<string>): boolean {
  return errors.some(({ code }) => code !== null && codes.has(code));
}

async function runStep({ what, run }: Step): Promise<AccountCheck> {
  try {
    return { what, isOk: true, detail: await run() };
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    return { what, isOk: false, detail: error.message };
  }
}
