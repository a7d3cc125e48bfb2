import { OperatorError } from '../../application/errors/operator-error.ts';
import type { ReadInbound } from '../../application/inbound/read-inbound.ts';
import type { InspectOutbound, OutboundDetails } from '../../application/outbound/inspect-outbound.ts';
import type { ReadOutbound } from '../../application/outbound/read-outbound.ts';
import type { AuditStore } from '../../application/ports/storage/audit-store.ts';
import type { InboundStore } from '../../application/ports/storage/inbound-store.ts';
import type { OutboundStore } from '../../application/ports/storage/outbound-store.ts';
import type { Direction, ViewDocument } from '../../application/views/view-document.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import { parseEdb } from '../../domain/accounts/edb.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { type DocUid, parseDocUid } from '../../domain/documents/doc-uid.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { message } from '../../domain/messages/message.ts';
import type { CodeListEntry } from '../../domain/values/code-list.ts';
import { DOCUMENT_POLICY } from '../../http/pages/document/document-frame.ts';
import { documentPage } from '../../http/pages/document/document-page.ts';
import { pageAnswer, redirect, SAFE_HEADERS } from '../answers.ts';
import { type ActionsOf, visitorOf } from '../console-actions.ts';
import { MOST_BESIDE_DOCUMENT } from '../pages/audit-table.ts';
import { cancelPage, pathOf, retryPage, voidPage } from '../pages/documents/action-pages.ts';
import { inboundPage, outboundPage } from '../pages/documents/document-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import type { Route } from '../route.ts';
import type { Answer, SignedVisit, Visit } from '../visit.ts';

export type DocumentNeeds = {
  readonly findTenant: (edb: Edb) => Promise<Tenant | null>;
  readonly inspectOutbound: InspectOutbound;
  readonly readOutbound: Pick<ReadOutbound, 'file'>;
  readonly readInbound: Pick<ReadInbound, 'detail' | 'file'>;
  readonly formatsOf: {
    readonly outbound: OutboundStore['formats'];
    readonly inbound: InboundStore['formats'];
  };
  readonly viewDocument: ViewDocument;
  readonly readAudit: AuditStore['read'];
  readonly voidReasons: (tenant: Tenant) => Promise<readonly CodeListEntry[]>;
  readonly nextTurn: () => Promise<void>;
  readonly actionsOf: ActionsOf;
  readonly viewOf: (visit: Visit) => ConsoleView;
};

type Named = { readonly tenant: Tenant; readonly docUid: DocUid };

const BASE = '/documents/:direction/:tenant/:docUid';
const OUTBOUND = '/documents/outbound/:tenant/:docUid';

/** The page of one document, its files, and what an operator can do about it. */
export function documentRoutes(needs: DocumentNeeds): readonly Route[] {
  const { inspectOutbound, voidReasons, actionsOf, viewOf } = needs;

  async function named({ params }: Visit): Promise<Named> {
    const edb = parseEdb(params['tenant'] ?? '');
    const docUid = parseDocUid(params['docUid'] ?? '');
    const tenant = edb === null ? null : await needs.findTenant(edb);
    if (tenant === null || docUid === null) throw new OperatorError('not-found', message('no-document'));
    return { tenant, docUid };
  }

  async function details(visit: Visit): Promise<OutboundDetails> {
    const { tenant, docUid } = await named(visit);
    return inspectOutbound(tenant.edb, docUid);
  }

  /** A question, and what is done when the answer is yes. */
  function action(
    name: string,
    ask: (view: ConsoleView, details: OutboundDetails) => Promise<string> | string,
    act: (visit: SignedVisit, named: Named) => Promise<unknown>,
  ): readonly Route[] {
    const path = `${OUTBOUND}/${name}`;
    return [
      {
        method: 'GET',
        path,
        role: 'operator',
        handle: async (visit) => pageAnswer(visit.language, await ask(viewOf(visit), await details(visit))),
      },
      {
        method: 'POST',
        path,
        role: 'operator',
        async handle(visit) {
          const found = await details(visit);
          await act(visit, await named(visit));
          return redirect(pathOf(found));
        },
      },
    ];
  }

  return [
    { method: 'GET', path: BASE, role: 'viewer', handle: async (visit) => show(visit, await named(visit), needs) },
    {
      method: 'GET',
      path: `${BASE}/view`,
      role: 'viewer',
      handle: async (visit) => draw(visit, await named(visit), needs),
    },
    {
      method: 'GET',
      path: `${BASE}/file/:format`,
      role: 'viewer',
      handle: async (visit) => download(visit, await named(visit), needs),
    },
    ...action('retry', retryPage, async (visit, { tenant, docUid }) => {
      const actions = actionsOf(visitorOf(visit));
      // As the page has asked: since then the document may have been sent, and rejected.
      const isRejected = visit.form.get('status') === String(OUTBOUND_STATUS.rejected);
      await (isRejected ? actions.reopenOutbound : actions.requeueOutbound)(tenant.edb, docUid);
    }),
    ...action('cancel', cancelPage, (visit, { tenant, docUid }) =>
      actionsOf(visitorOf(visit)).cancelOutbound(tenant.edb, docUid),
    ),
    ...action(
      'void',
      async (view, found) => {
        const tenant = await needs.findTenant(found.tenant);
        return voidPage(view, found, tenant === null ? [] : await voidReasons(tenant));
      },
      (visit, { tenant, docUid }) => {
        const comment = visit.form.get('comment')?.trim() ?? '';
        const reason = visit.form.get('reason') ?? '';
        return actionsOf(visitorOf(visit)).requestVoid(tenant.edb, docUid, reason, comment === '' ? null : comment);
      },
    ),
  ];
}

function directionOf({ params }: Visit): Direction {
  const { direction } = params;
  if (direction === 'outbound' || direction === 'inbound') return direction;
  throw new OperatorError('not-found', message('no-document'));
}

async function show(visit: SignedVisit, { tenant, docUid }: Named, needs: DocumentNeeds): Promise<Answer> {
  const view = needs.viewOf(visit);
  const filter = { tenant: tenant.edb, keyId: null, docUid, since: null, until: null, limit: MOST_BESIDE_DOCUMENT + 1 };
  const page =
    directionOf(visit) === 'outbound'
      ? outboundPage(view, tenant, await needs.inspectOutbound(tenant.edb, docUid), {
          formats: await needs.formatsOf.outbound(tenant.edb, docUid),
          entries: await needs.readAudit(filter),
        })
      : inboundPage(view, tenant, await needs.readInbound.detail(tenant.edb, docUid), {
          formats: await needs.formatsOf.inbound(tenant.edb, docUid),
          entries: await needs.readAudit(filter),
        });
  return pageAnswer(visit.language, page);
}

/** The same page as a client's, within a frame of ours. */
async function draw(visit: SignedVisit, { tenant, docUid }: Named, needs: DocumentNeeds): Promise<Answer> {
  const { language } = visit;
  const viewed = await needs.viewDocument(tenant, directionOf(visit), docUid);
  const options = {
    language,
    isDemo: needs.viewOf(visit).isDemo,
    pause: needs.nextTurn,
    root: '/console/',
    otherLanguages: [],
  };
  const answer = pageAnswer(language, await documentPage(viewed, options));
  const policy = `${DOCUMENT_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox`;
  return { ...answer, headers: { ...answer.headers, 'content-security-policy': policy } };
}

/** Never shown by the browser itself: whatever it contains, it is saved. */
async function download(visit: SignedVisit, { tenant, docUid }: Named, needs: DocumentNeeds): Promise<Answer> {
  const format = visit.params['format'] ?? '';
  const read = directionOf(visit) === 'outbound' ? needs.readOutbound.file : needs.readInbound.file;
  const { bytes } = await read(tenant.edb, docUid, format);
  const headers = {
    ...SAFE_HEADERS,
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${docUid}-${format}${ENDINGS[format] ?? ''}"`,
  };
  return { status: 200, headers, body: bytes };
}

const ENDINGS: Readonly<Record<string, string>> = { ubl: '.xml', pdf: '.pdf', ujp: '.asice' };
