import type { Direction } from '../../../application/views/view-document.ts';
import { DEFAULT_LINK_HOURS, MOST_LINK_HOURS, type ViewLinks } from '../../../application/views/view-links.ts';
import { formatInstant } from '../../../domain/values/instant.ts';
import { viewLink } from '../../answers/extensions/view-link-schema.ts';
import { documentPath } from '../../answers/schemas.ts';
import { linkAddress } from '../../pages/document/link-address.ts';
import { hours } from '../../requests/query.ts';
import { callerOf, requestedDocUid } from '../../requests/request-context.ts';
import { addCall, type Mount } from '../../route.ts';

type Needs = { readonly viewLinks: ViewLinks; readonly publicUrl: () => string };

const PARAMETERS = {
  lifetimeHours: hours('How many hours the link holds; left out, a week.', {
    most: MOST_LINK_HOURS,
    otherwise: DEFAULT_LINK_HOURS,
  }),
};

const SUMMARIES: Readonly<Record<Direction, string>> = {
  outbound: 'A link by which an outbound document is viewed without a key, for a time.',
  inbound: 'A link by which a received document is viewed without a key, for a time.',
};

export function makeViewLinkRoutes(mount: Mount, needs: Needs): void {
  for (const direction of ['outbound', 'inbound'] as const) linkRoute(mount, direction, needs);
}

function linkRoute(mount: Mount, direction: Direction, { viewLinks, publicUrl }: Needs): void {
  addCall(mount, {
    method: 'POST',
    path: `/${direction}/:docUid/view-link`,
    operationId: direction === 'outbound' ? 'makeOutboundViewLink' : 'makeInboundViewLink',
    summary: SUMMARIES[direction],
    description:
      'Whoever has the link sees this one document as the call view shows it, in the state of that moment, in mk or en (lang). It is signed, ends by itself and cannot be prolonged; ask for another one. It ends at once when the key that made it is revoked or expires. Whatever is wrong with a link, the page is the same (ERR-3001). Making it and each opening of it are in the audit trail.',
    tag: direction,
    params: documentPath,
    parameters: PARAMETERS,
    success: { 200: viewLink },
    errors: ['ERR-3001'],
    async answer(request, _reply, { lifetimeHours }) {
      const docUid = requestedDocUid(request);
      const { token, expiresAt } = await viewLinks.make(callerOf(request).key, { direction, docUid }, lifetimeHours);
      return { url: `${publicUrl()}${linkAddress(direction, docUid, token)}`, expiresAt: formatInstant(expiresAt) };
    },
  });
}
