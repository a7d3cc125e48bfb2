import type { CheckAccount } from '../../application/accounts/check-account.ts';
import type { ReadTenantState } from '../../application/operations/read-tenant-state.ts';
import { pageAnswer, ROOT, redirect } from '../answers.ts';
import { type ActionsOf, visitorOf } from '../console-actions.ts';
import { resumePage, tenantPage } from '../pages/tenants/tenant-page.ts';
import { TENANT_STATES, type TenantRows, tenantsPage } from '../pages/tenants/tenants-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import { readSearch } from '../requests/read-search.ts';
import type { Route } from '../route.ts';
import type { SignedVisit, Visit } from '../visit.ts';

type Needs = {
  readonly listTenants: () => Promise<TenantRows>;
  readonly readTenantState: ReadTenantState;
  readonly checkAccount: CheckAccount;
  readonly paceMs: number;
  readonly actionsOf: ActionsOf;
  readonly viewOf: (visit: Visit) => ConsoleView;
};

export function tenantRoutes(needs: Needs): readonly Route[] {
  const { listTenants, readTenantState, checkAccount, paceMs, actionsOf, viewOf } = needs;
  const stateOf = ({ params }: SignedVisit) => readTenantState(params['edb'] ?? '');
  return [
    {
      method: 'GET',
      path: '/tenants',
      role: 'viewer',
      async handle(visit) {
        const search = readSearch(visit.query, TENANT_STATES);
        return pageAnswer(visit.language, tenantsPage(viewOf(visit), await listTenants(), search));
      },
    },
    {
      method: 'GET',
      path: '/tenants/:edb',
      role: 'viewer',
      handle: async (visit) => pageAnswer(visit.language, tenantPage(viewOf(visit), await stateOf(visit), paceMs)),
    },
    {
      // It asks the authority, so a link must not be enough for it. It changes nothing, so a viewer may.
      method: 'POST',
      path: '/tenants/:edb/check',
      role: 'viewer',
      async handle(visit) {
        const { tenant } = await stateOf(visit);
        const check = await checkAccount(tenant);
        // Links of the page lead to the tenant: a check cannot be asked for by one.
        const view = viewOf({ ...visit, path: `/tenants/${tenant.edb}` });
        return pageAnswer(visit.language, tenantPage(view, await stateOf(visit), paceMs, check));
      },
    },
    {
      method: 'GET',
      path: '/tenants/:edb/resume',
      role: 'operator',
      handle: async (visit) => pageAnswer(visit.language, resumePage(viewOf(visit), await stateOf(visit))),
    },
    {
      method: 'POST',
      path: '/tenants/:edb/resume',
      role: 'operator',
      async handle(visit) {
        const { tenant } = await stateOf(visit);
        // As the page has shown it: another stop may have come since then.
        await actionsOf(visitorOf(visit)).resumeTenant(tenant.edb, visit.form.get('stop') ?? '');
        return redirect(`${ROOT}/tenants/${tenant.edb}`);
      },
    },
  ];
}
