import { type AccountCheck, type Authority, AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { OPERATOR_LANGUAGE } from '../../../domain/messages/languages.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import { words } from '../../../domain/messages/render.ts';
import { daysAfter, skopjeDay } from '../../../domain/values/skopje-day.ts';
import type { AuthorityQueries } from './authority-queries.ts';

type Needs = {
  readonly client: Pick<Authority, 'statusChanges' | 'arrivals' | 'container'> &
    Pick<AuthorityQueries, 'company' | 'serverTime' | 'askForPayload' | 'askForPdf'>;
  readonly clock: Clock;
};

type Step = { readonly what: Message; readonly run: () => Promise<Message> };
type Right = Step & { readonly code: string };
type RightKey = 'check-payloads' | 'check-pdfs' | 'check-containers';

/** A step that did not succeed although the authority has answered, or for a cause that we know better. */
class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly found: Message;
  constructor(found: Message) {
    super(words(OPERATOR_LANGUAGE, found));
    this.found = found;
  }
}

/** Less than the month that the authority lists at most. */
const LISTED_DAYS = 27;
const MISSING_RIGHTS: ReadonlySet<string> = new Set(['E1011', 'E1013']);
/** The authority knows no such document: whoever may not download is refused for that reason before. */
const NOT_FOUND: ReadonlySet<string> = new Set(['E1018', 'E1021', 'E4008']);
/** Of the form of an EUID, and none: it begins with the year 1970. */
const NO_DOCUMENT = '00000000-0000-7000-8000-000000000000';

const NOT_REFUSED = message('found-not-refused');

const ACCEPTANCE: AccountCheck = {
  what: message('check-acceptance'),
  isOk: true,
  isUntested: true,
  detail: message('found-not-testable'),
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
      what: message('check-listed'),
      async run() {
        const today = skopjeDay(clock.now());
        const { listed } = await client.arrivals(tenant, daysAfter(today, -LISTED_DAYS), today);
        euid = listed[0]?.euid ?? NO_DOCUMENT;
        return message('found-listed', { days: LISTED_DAYS, documents: listed.length });
      },
    });
    const checks = [list];
    for (const right of rights(tenant, euid)) checks.push(await runStep({ ...right, run: () => tryRight(right) }));
    return [...checks, ACCEPTANCE];
  }

  function rights(tenant: Tenant, euid: string): readonly Right[] {
    const askedFor = euid === NO_DOCUMENT ? NOT_REFUSED : message('found-tried-with', { euid });
    const right = (code: string, what: RightKey, call: () => Promise<unknown>): Right => ({
      code,
      what: message(what, { code }),
      run: () => call().then(() => askedFor),
    });
    return [
      right('RD', 'check-payloads', () => client.askForPayload(tenant, euid)),
      right('DP', 'check-pdfs', () => client.askForPdf(tenant, euid)),
      right('DA', 'check-containers', () => client.container(tenant, euid)),
    ];
  }

  function steps(tenant: Tenant): readonly Step[] {
    return [
      {
        what: message('check-answers'),
        async run() {
          const offset = Math.round(((await client.serverTime(tenant.environment)) - clock.now()) / 1_000);
          return offset === 0 ? message('found-clock-agrees') : message('found-clock-differs', { seconds: offset });
        },
      },
      {
        what: message('check-registered'),
        async run() {
          const company = await client.company(tenant, tenant.edb);
          if (company === null) throw new StepFailed(message('found-no-company'));
          return message('found-company', { name: company.name });
        },
      },
      {
        what: message('check-signature'),
        async run() {
          const changes = await client.statusChanges(tenant, skopjeDay(clock.now()));
          return message('found-changes', { changes: changes.length });
        },
      },
    ];
  }
}

async function tryRight({ code, run }: Right): Promise<Message> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    if (reports(error, MISSING_RIGHTS)) {
      throw new StepFailed(message('found-right-missing', { code, reason: error.message }));
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
    if (error instanceof StepFailed) return { what, isOk: false, detail: error.found };
    if (!(error instanceof AuthorityCallError)) throw error;
    return { what, isOk: false, detail: message('found-failure', { reason: error.message }) };
  }
}
