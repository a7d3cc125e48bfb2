import { type Edb, parseEdb } from '../../domain/accounts/edb.ts';
import { FAILURES_TO_TELL } from '../../domain/accounts/failures-in-a-row.ts';
import { firstOutsideHeaders } from '../../domain/accounts/header-text.ts';
import type { NewTenant, Tenant, TenantSettings } from '../../domain/accounts/tenant.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { FROM_FAR_BACK } from '../delivery/follow-authority-status.ts';
import { retryMended } from '../delivery/retry-waiting.ts';
import { WAITING_FOR_RESUMPTION } from '../errors/failure-catalogue.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Clock } from '../ports/platform.ts';
import type { FailingDocuments } from '../ports/storage/delivery-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { refuseMoveBeforeComparison, refuseMoveWhileUnfinished } from './unfinished-work.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

export type TenantChanges = Partial<Omit<TenantSettings, 'edb'>>;

export type ManageTenants = {
  readonly add: (tenant: NewTenant) => Promise<Tenant>;
  readonly list: () => Promise<readonly Tenant[]>;
  /** Documents that failed several times in a row and are tried again, by tenant. */
  readonly failing: () => Promise<ReadonlyMap<Edb, FailingDocuments>>;
  readonly find: (edbText: string) => Promise<Tenant>;
  readonly set: (edbText: string, changes: TenantChanges) => Promise<Tenant>;
};

export function manageTenants({ storage, clock, record }: Needs): ManageTenants {
  const find = (edbText: string) => findTenant(storage, edbText);
  const change = changeTenant({ clock, record });
  return {
    find,
    list: () => storage.tenants.list(),
    failing: () => storage.deliveries.failing(FAILURES_TO_TELL),
    async add(given) {
      const tenant = withReadEujpId(given);
      const added = await storage.transaction(async (tx) => {
        const isNew = await tx.tenants.add(tenant, clock.now());
        if (isNew) await record(tx, { command: 'tenant add', target: tenant.edb, tenant: tenant.edb });
        return isNew;
      });
      if (!added) throw new OperatorError('refused', `There is a tenant ${tenant.edb} already.`);
      return find(tenant.edb);
    },
    set: (edbText, changes) => storage.transaction((tx) => change(tx, edbText, changes)),
  };
}

async function findTenant({ tenants }: Storage, edbText: string): Promise<Tenant> {
  const tenant = await tenants.find(readEdb(edbText));
  if (tenant === null) throw new OperatorError('not-found', `There is no tenant ${edbText}.`);
  return tenant;
}

/** Within a transaction, so that what else belongs to the change is made with it, or not at all. */
export function changeTenant({ clock, record }: Pick<Needs, 'clock' | 'record'>) {
  return async (tx: Storage, edbText: string, given: TenantChanges): Promise<Tenant> => {
    const changes = withReadEujpId(given);
    const tenant = await findTenant(tx, edbText);
    const changed = { ...tenant, ...changes };
    const isMoved = changed.environment !== tenant.environment;
    if (isMoved) {
      await refuseMoveBeforeComparison(tx, tenant);
      await refuseMoveWhileUnfinished(tx, tenant);
    }
    await tx.tenants.update(changed);
    if (isMoved) await beginInEnvironment(tx, tenant.edb, clock.now());
    // By this entry a retry tells which documents are of the former environment.
    const names = Object.keys(changes).filter((name) => name !== 'environment' || isMoved);
    const target = [tenant.edb, ...names].join(' ');
    await record(tx, { command: 'tenant set', target, tenant: tenant.edb });
    if (changes.eujpId === undefined && changes.environment === undefined) return changed;
    // Delivery was stopped because of the former account.
    await tx.tenants.resume(changed.edb, clock.now());
    await retryMended(tx, changed.edb, WAITING_FOR_RESUMPTION, clock.now());
    return { ...changed, stopped: null };
  };
}

/**
 * While a tenant was in one environment, nobody asked the other for what became of its documents there. Of arrivals that were not given,
 * the other knows nothing: the lists bring them again when the tenant is back.
 */
async function beginInEnvironment({ recurringTasks, arrivalProblems }: Storage, edb: Edb, now: number): Promise<void> {
  await recurringTasks.followFrom(edb, FROM_FAR_BACK, now);
  await arrivalProblems.removeUnstored(edb);
}

/**
 * It stands in a header of every request: with one that no header can carry nothing would be sent. Blanks around it are not part of a header;
 * kept, they would make two users of one, each with a pace of its own.
 */
function withReadEujpId<Given extends Partial<Pick<Tenant, 'eujpId'>>>(given: Given): Given {
  if (typeof given.eujpId !== 'string') return given;
  const eujpId = given.eujpId.trim();
  const wrong = firstOutsideHeaders(eujpId);
  if (wrong === null) return { ...given, eujpId };
  throw new OperatorError(
    'refused',
    `An EUJP-ID has only Latin letters, digits and signs of ASCII; the given one has ${wrong}.`,
  );
}

export function readEdb(text: string): Edb {
  const edb = parseEdb(text);
  if (edb === null) throw new OperatorError('refused', `"${text}" is not an EDB: it has 13 digits.`);
  return edb;
}
