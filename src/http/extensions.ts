import type { Api } from './api.ts';
import type { CheckKeyAgain } from './requests/authentication.ts';
import type { ReadBody } from './requests/read-body.ts';
import type { Mount } from './route.ts';
import { inquireOutboundRoute } from './routes/extensions/inquire-outbound.ts';
import { makeViewLinkRoutes } from './routes/extensions/make-view-link.ts';
import { readChangesRoute } from './routes/extensions/read-changes.ts';
import { readDocumentSchemaRoute } from './routes/extensions/read-document-schema.ts';
import { readInboundAsUblRoute } from './routes/extensions/read-inbound-as-ubl.ts';
import { validateRoute } from './routes/extensions/validate.ts';
import { viewDocumentRoutes } from './routes/extensions/view-document.ts';
import { pingRoute } from './routes/ping.ts';

/** What goes beyond the contract, with the same keys, limits, errors and manners. */
export const EXTENSIONS_ROOT = '/api/extensions/v1';

type Needs = Api & {
  readonly readBody: ReadBody;
  readonly checkKeyAgain: CheckKeyAgain;
  readonly publicUrl: () => string;
  readonly isDemo: boolean;
};

export function extensionCalls(mount: Mount, api: Needs): void {
  pingRoute(mount, api);
  readChangesRoute(mount, api);
  inquireOutboundRoute(mount, api);
  validateRoute(mount, api);
  viewDocumentRoutes(mount, api);
  makeViewLinkRoutes(mount, api);
  readInboundAsUblRoute(mount, api);
  readDocumentSchemaRoute(mount, api);
}
