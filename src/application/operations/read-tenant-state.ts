import { type Edb, parseEdb } from '../../domain/accounts/edb.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { ArrivalProblem } from '../../domain/documents/arrival-problem.ts';
import { message } from '../../domain/messages/message.ts';
import type { DeliveryHold } from '../../domain/operations/delivery-hold.ts';
import { CODE_LIST_TYPES, type CodeListType } from '../../domain/values/code-list.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { SealedCredential } from '../ports/storage/credential-store.ts';
import type { TaskRun } from '../ports/storage/operations/overview-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { tenantHold } from '../recovery/tenant-hold.ts';

/** Everything about a tenant that an operator looks at. */
export type TenantState = {
  readonly tenant: Tenant;
  readonly certificate: Pick<SealedCredential, 'serialNumber' | 'validTo' | 'changedAt'> | null;
  /** Tenants that share its user at the authority, itself included. */
  readonly sharing: number;
  readonly tasks: readonly TaskRun[];
  readonly codeLists: readonly { readonly type: CodeListType; readonly readAt: number | null }[];
  readonly problems: readonly ArrivalProblem[];
  /** Why nothing is sent for any tenant, or for this one; null where it is. */
  readonly hold: DeliveryHold | null;
};

export type ReadTenantState = (edbText: string) => Promise<TenantState>;

export function readTenantState({ storage }: { readonly storage: Storage }): ReadTenantState {
  async function find(text: string): Promise<Tenant> {
    const edb: Edb | null = parseEdb(text);
    const tenant = edb === null ? null : await storage.tenants.find(edb);
    if (tenant === null) throw new OperatorError('not-found', message('no-such-tenant'));
    return tenant;
  }

  return async (edbText) => {
    const tenant = await find(edbText);
    const { edb, environment, eujpId } = tenant;
    const [credential, tenants, tasks, problems, hold, lists] = await Promise.all([
      storage.credentials.find(edb),
      storage.tenants.list(),
      storage.overview.taskRuns(edb),
      storage.arrivalProblems.list(edb),
      tenantHold(storage, edb),
      Promise.all(CODE_LIST_TYPES.map((type) => storage.codeLists.find(environment, type))),
    ]);
    return {
      tenant,
      certificate: credential,
      sharing: tenants.filter((one) => one.environment === environment && one.eujpId === eujpId).length,
      tasks,
      codeLists: CODE_LIST_TYPES.map((type, index) => ({ type, readAt: lists[index]?.readAt ?? null })),
      problems,
      hold,
    };
  };
}
