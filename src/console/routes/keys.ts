import type { ManageKeys } from '../../application/accounts/manage-keys.ts';
import type { ManageTenants } from '../../application/accounts/manage-tenants.ts';
import { OperatorError } from '../../application/errors/operator-error.ts';
import { message } from '../../domain/messages/message.ts';
import { pageAnswer, ROOT, redirect } from '../answers.ts';
import { type ActionsOf, visitorOf } from '../console-actions.ts';
import { KEY_STATES, keysPage, revokeKeyPage } from '../pages/keys-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import { readSearch } from '../requests/read-search.ts';
import type { Route } from '../route.ts';
import type { Visit } from '../visit.ts';

type Needs = {
  readonly listKeys: ManageKeys['list'];
  readonly listTenants: ManageTenants['list'];
  readonly actionsOf: ActionsOf;
  readonly viewOf: (visit: Visit) => ConsoleView;
};

/** Keys are looked at and revoked; none is made on a screen, where somebody else may look on. */
export function keyRoutes({ listKeys, listTenants, actionsOf, viewOf }: Needs): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/keys',
      role: 'viewer',
      async handle(visit) {
        const search = readSearch(visit.query, KEY_STATES);
        const [keys, tenants] = await Promise.all([listKeys(null), listTenants()]);
        return pageAnswer(visit.language, keysPage(viewOf(visit), keys, tenants, search));
      },
    },
    {
      method: 'GET',
      path: '/keys/:keyId/revoke',
      role: 'operator',
      async handle(visit) {
        const { keyId } = visit.params;
        const key = (await listKeys(null)).find((one) => one.keyId === keyId);
        if (key === undefined)
          throw new OperatorError('not-found', message('no-key', { key: visit.params['keyId'] ?? '' }));
        return pageAnswer(visit.language, revokeKeyPage(viewOf(visit), key));
      },
    },
    {
      method: 'POST',
      path: '/keys/:keyId/revoke',
      role: 'operator',
      async handle(visit) {
        await actionsOf(visitorOf(visit)).revokeKey(visit.params['keyId'] ?? '');
        return redirect(`${ROOT}/keys`);
      },
    },
  ];
}
