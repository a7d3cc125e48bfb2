import type { Authenticate, CheckKey } from '../application/accounts/authenticate.ts';
import type { RecogniseKey } from '../application/accounts/recognise-key.ts';
import type { ReadChanges } from '../application/changes/read-changes.ts';
import type { ReadCodeList } from '../application/code-lists/read-code-list.ts';
import type { ShapeOfFile } from '../application/files/document-shape.ts';
import type { AcknowledgeInbound } from '../application/inbound/acknowledge-inbound.ts';
import type { ReadInbound } from '../application/inbound/read-inbound.ts';
import type { ReadInboundAsUbl } from '../application/inbound/read-inbound-as-ubl.ts';
import type { SubmitOutbound } from '../application/intake/submit-outbound.ts';
import type { CancelOutbound } from '../application/outbound/cancel-outbound.ts';
import type { InquireOutbound } from '../application/outbound/inquire-outbound.ts';
import type { ReadOutbound } from '../application/outbound/read-outbound.ts';
import type { AddressLimiter, RateLimiter } from '../application/ports/access.ts';
import type { DocumentSchemas } from '../application/ports/inbound/authority-documents.ts';
import type { Clock, Timers } from '../application/ports/platform.ts';
import type { ValidateDocument } from '../application/validation/validate-document.ts';
import type { ViewDocument } from '../application/views/view-document.ts';
import type { ViewLinks } from '../application/views/view-links.ts';
import type { Admission } from './admission.ts';
import type { MemoryObserver } from './memory-budget.ts';
import type { RequestPacing } from './request-pacing.ts';
import type { RecordCall } from './requests/audit-call.ts';
import type { ReadBody } from './requests/read-body.ts';
import type { Mount } from './route.ts';
import { acknowledgeInboundRoute } from './routes/acknowledge-inbound.ts';
import { cancelOutboundRoute } from './routes/cancel-outbound.ts';
import { listInboundRoute } from './routes/list-inbound.ts';
import { listOutboundRoute } from './routes/list-outbound.ts';
import { pingRoute } from './routes/ping.ts';
import { readCodeListRoute } from './routes/read-code-list.ts';
import { readInboundRoute } from './routes/read-inbound.ts';
import { readInboundFileRoute } from './routes/read-inbound-file.ts';
import { readOutboundRoute } from './routes/read-outbound.ts';
import { readOutboundFileRoute } from './routes/read-outbound-file.ts';
import { readOutboundHistoryRoute } from './routes/read-outbound-history.ts';
import { submitOutboundRoute } from './routes/submit-outbound.ts';

export const API_ROOT = '/api/integration/v1';

/** The use cases and limits of the API. */
export type Api = {
  readonly authenticate: Authenticate;
  readonly authenticateInquiry: Authenticate;
  readonly checkKey: CheckKey;
  readonly recogniseKey: RecogniseKey;
  readonly allowanceOf: RateLimiter['peek'];
  readonly submitOutbound: SubmitOutbound;
  readonly validateDocument: ValidateDocument;
  readonly readOutbound: ReadOutbound;
  readonly cancelOutbound: CancelOutbound;
  readonly readInbound: ReadInbound;
  readonly readInboundAsUbl: ReadInboundAsUbl;
  readonly shapeOf: ShapeOfFile;
  readonly documentSchemas: DocumentSchemas;
  readonly acknowledgeInbound: AcknowledgeInbound;
  readonly readCodeList: ReadCodeList;
  readonly inquireOutbound: InquireOutbound;
  readonly readChanges: ReadChanges;
  readonly viewDocument: ViewDocument;
  readonly viewLinks: ViewLinks;
  /** For links that are opened without a key. */
  readonly linkLimiter: AddressLimiter;
  /** Answers the calls that wait for changes at once, those that come later as well. */
  readonly endWaits: () => void;
  /** Puts on record which keys were used. */
  readonly writeKeyUses: () => Promise<void>;
  readonly recordCall: RecordCall;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly maxDocumentBytes: number;
  /** The memory that all request bodies in progress may take together. */
  readonly bodyBudgetBytes: number;
  /** The memory that all large answers that clients have not read yet may take together. */
  readonly answerBudgetBytes: number;
  readonly admission: Admission;
  readonly pacing: RequestPacing;
  readonly bodyMemory: MemoryObserver;
  readonly answerMemory: MemoryObserver;
};

type Needs = Api & { readonly readBody: ReadBody; readonly publicUrl: () => string };

/** The calls of the contract, and no other. */
export function integrationCalls(mount: Mount, api: Needs): void {
  pingRoute(mount, api);
  readCodeListRoute(mount, api);
  submitOutboundRoute(mount, api);
  listOutboundRoute(mount, api);
  readOutboundRoute(mount, api);
  readOutboundHistoryRoute(mount, api);
  readOutboundFileRoute(mount, api);
  cancelOutboundRoute(mount, api);
  listInboundRoute(mount, api);
  readInboundRoute(mount, api);
  readInboundFileRoute(mount, api);
  acknowledgeInboundRoute(mount, api);
}
