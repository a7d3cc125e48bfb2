import type { Api } from './api.ts';
import type { ReadBody } from './requests/read-body.ts';
import type { Mount } from './route.ts';
import { inquireOutboundRoute } from './routes/extensions/inquire-outbound.ts';
import { readChangesRoute } from './routes/extensions/read-changes.ts';
import { validateRoute } from './routes/extensions/validate.ts';
import { pingRoute } from './routes/ping.ts';

/** What goes beyond the contract, with the same keys, limits, errors and manners. */
export const EXTENSIONS_ROOT = '/api/extensions/v1';

export function extensionCalls(mount: Mount, api: Api & { readonly readBody: ReadBody }): void {
  pingRoute(mount, api);
  readChangesRoute(mount, api);
  inquireOutboundRoute(mount, api);
  validateRoute(mount, api);
}
