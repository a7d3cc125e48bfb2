import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { ArrivalProblem } from '../../domain/documents/arrival-problem.ts';
import { message } from '../../domain/messages/message.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { type AccountCheck, type Authority, AuthorityCallError } from '../ports/authority.ts';
import type { Clock } from '../ports/platform.ts';
import type { SealedCredential } from '../ports/storage/credential-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = {
  readonly storage: Pick<Storage, 'credentials' | 'arrivalProblems'>;
  readonly authority: Pick<Authority, 'check'>;
  readonly clock: Clock;
};

/** Parts of an account that the operator has to supply. */
export type AccountPart = 'eujp-id' | 'certificate';

export type AccountCheckResult = AccountCheck & { readonly missing?: AccountPart };

export type CheckAccount = (tenant: Tenant) => Promise<readonly AccountCheckResult[]>;

const DAY_MS = 86_400_000;
/** Getting a new certificate takes time, so the operator is warned early. */
const RENEW_WITHIN_DAYS = 30;

/** Checks step by step whether a tenant's documents can be delivered: first locally, then at the authority. */
export function checkAccount({ storage, authority, clock }: Needs): CheckAccount {
  return async (tenant) => {
    const now = clock.now();
    const account = [checkEujpId(tenant), checkCertificate(await storage.credentials.find(tenant.edb), now)];
    const inbound = checkInbound(await storage.arrivalProblems.list(tenant.edb));
    const local = [...account, checkStop(tenant, now), inbound];
    // The authority is asked also while delivery is stopped: its answers explain the stop.
    if (!account.every(({ isOk }) => isOk)) return local;
    return [...local, ...(await checkAtAuthority(authority, tenant))];
  };
}

function checkEujpId({ eujpId }: Tenant): AccountCheckResult {
  const what = message('check-eujp-id');
  if (eujpId !== null && eujpId.trim() !== '')
    return { what, isOk: true, detail: message('found-eujp-id', { eujpId }) };
  return { what, isOk: false, detail: message('found-no-eujp-id'), missing: 'eujp-id' };
}

function checkCertificate(credential: SealedCredential | null, now: number): AccountCheckResult {
  const what = message('check-certificate');
  if (credential === null) {
    return { what, isOk: false, detail: message('found-no-certificate'), missing: 'certificate' };
  }
  const { serialNumber, validTo } = credential;
  if (validTo <= now) {
    return { what, isOk: false, detail: message('found-expired', { serialNumber, at: formatInstant(validTo) }) };
  }
  const days = Math.floor((validTo - now) / DAY_MS);
  const key = days < RENEW_WITHIN_DAYS ? 'found-few-days-left' : 'found-days-left';
  return { what, isOk: true, detail: message(key, { serialNumber, days }) };
}

function checkStop({ stopped }: Tenant, now: number): AccountCheck {
  const what = message('check-delivery');
  if (stopped === null) return { what, isOk: true, detail: message('found-sending') };
  const { reason, until } = stopped;
  const since = formatInstant(stopped.since);
  const detail =
    until <= now
      ? message('found-stopped-due', { since, reason })
      : message('found-stopped', { since, until: formatInstant(until), reason });
  return { what, isOk: false, detail };
}

/** Documents that were stored although they cannot be read have arrived. */
function checkInbound(problems: readonly ArrivalProblem[]): AccountCheck {
  const what = message('check-collected');
  const open = problems.filter(({ docUid }) => docUid === null).toSorted((one, other) => one.since - other.since);
  const [oldest] = open;
  if (oldest === undefined) return { what, isOk: true, detail: message('found-nothing-in-way') };
  const { since, reason } = oldest;
  const detail = message('found-problems', { problems: open.length, since: formatInstant(since), reason });
  return { what, isOk: false, detail };
}

async function checkAtAuthority(authority: Needs['authority'], tenant: Tenant): Promise<readonly AccountCheck[]> {
  try {
    return await authority.check(tenant);
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    return [
      { what: message('check-answers'), isOk: false, detail: message('found-failure', { reason: error.message }) },
    ];
  }
}
