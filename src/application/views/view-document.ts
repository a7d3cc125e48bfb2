import type { AuthorityEnvironment, Tenant } from '../../domain/accounts/tenant.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { isEuid } from '../../domain/documents/euid.ts';
import type { InboundDocument } from '../../domain/documents/inbound-document.ts';
import type { OutboundDocument, StatusChange } from '../../domain/documents/outbound-document.ts';
import type { HeldFiles } from '../files/held-files.ts';
import type { ReadInbound } from '../inbound/read-inbound.ts';
import type { ReadOutbound } from '../outbound/read-outbound.ts';
import type { DocumentReader, ShownDocument } from '../ports/document-reader.ts';
import type { TenantStore } from '../ports/storage/tenant-store.ts';

export type Direction = 'outbound' | 'inbound';

export type ViewedState =
  | {
      readonly direction: 'outbound';
      readonly document: OutboundDocument;
      readonly history: readonly StatusChange[];
    }
  | { readonly direction: 'inbound'; readonly document: InboundDocument };

/** A document for human eyes: what it says, and what became of it. */
export type ViewedDocument = ShownDocument & {
  readonly docUid: DocUid;
  /** Where it came from or went to: that of the tenant at that time. */
  readonly environment: AuthorityEnvironment;
  readonly euid: string | null;
  /** The page of the document in the register of the authority, which its QR code leads to. */
  readonly registerLink: string | null;
  readonly state: ViewedState;
};

type Needs = {
  readonly readOutbound: Pick<ReadOutbound, 'detail' | 'history' | 'file'>;
  readonly readInbound: Pick<ReadInbound, 'detail' | 'file'>;
  readonly reader: Pick<DocumentReader, 'view'>;
  readonly held: HeldFiles;
  /** Null for an installation that is not configured. */
  readonly registerLinkOf: (environment: AuthorityEnvironment, euid: string) => string | null;
  readonly formerEnvironment: TenantStore['formerEnvironment'];
};

export type ViewDocument = (tenant: Tenant, direction: Direction, docUid: DocUid) => Promise<ViewedDocument>;

const ARRIVAL_FILE = /\.json$/u;
const WEB_ADDRESS = /^https?:\/\/[\x21-\x7e]+$/u;
const LONGEST_ADDRESS = 500;

export function viewDocument(needs: Needs): ViewDocument {
  const { readOutbound, readInbound, reader, held, registerLinkOf, formerEnvironment } = needs;

  async function outbound({ edb, environment }: Tenant, docUid: DocUid): Promise<ViewedDocument> {
    const [document, history, { bytes }] = await Promise.all([
      readOutbound.detail(edb, docUid),
      readOutbound.history(edb, docUid),
      readOutbound.file(edb, docUid, 'ubl'),
    ]);
    const { ujp } = document;
    const registerLink = webAddress(ujp?.qrLink ?? null);
    return {
      ...(await held.during(edb, bytes.length, () => reader.view(edb, bytes, registerLink))),
      docUid,
      environment,
      euid: ujp?.euid ?? null,
      registerLink,
      state: { direction: 'outbound', document, history },
    };
  }

  async function inbound({ edb, environment }: Tenant, docUid: DocUid): Promise<ViewedDocument> {
    const [document, { bytes, fileName }] = await Promise.all([
      readInbound.detail(edb, docUid),
      readInbound.file(edb, docUid, 'original'),
    ]);
    // What comes from the authority has its status there and is named after its EUID; what the operator imports has any name.
    const name = document.authorityStatus === null ? '' : (fileName ?? '').replace(ARRIVAL_FILE, '');
    const euid = isEuid(name) ? name : null;
    const registerLink = webAddress(euid === null ? null : registerLinkOf(environment, euid));
    return {
      ...(await held.during(edb, bytes.length, () => reader.view(edb, bytes, registerLink))),
      docUid,
      environment,
      euid,
      registerLink,
      state: { direction: 'inbound', document },
    };
  }

  return async (present, direction, docUid) => {
    // A test document stays one when its tenant has gone to production.
    const environment = (await formerEnvironment(present.edb, direction, docUid)) ?? present.environment;
    const tenant = { ...present, environment };
    return direction === 'outbound' ? outbound(tenant, docUid) : inbound(tenant, docUid);
  };
}

/** It was checked when it came. A link of another kind must not get into a page, whatever the database holds. */
function webAddress(link: string | null): string | null {
  return link !== null && link.length <= LONGEST_ADDRESS && WEB_ADDRESS.test(link) ? link : null;
}
