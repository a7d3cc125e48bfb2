import type { Timers } from '../../../application/ports/platform.ts';
import type { Direction, ViewDocument } from '../../../application/views/view-document.ts';
import { LANGUAGES } from '../../../domain/messages/languages.ts';
import { askedLanguage } from '../../answers/answer-language.ts';
import { CACHE_HEADERS } from '../../answers/cache-headers.ts';
import { fileName, sendWithDigest } from '../../answers/file-response.ts';
import { documentPath } from '../../answers/schemas.ts';
import { Type } from '../../json-schema.ts';
import { documentPage, RENDERER } from '../../pages/document/document-page.ts';
import { DOCUMENT_HEADERS, RENDERER_HEADER } from '../../pages/document/page-headers.ts';
import { language } from '../../requests/query.ts';
import { callerOf, requestedDocUid } from '../../requests/request-context.ts';
import { addCall, type Mount } from '../../route.ts';

type Needs = { readonly viewDocument: ViewDocument; readonly timers: Timers; readonly isDemo: boolean };

const PARAMETERS = {
  lang: language(
    `The language of the page: ${LANGUAGES.join(' or ')}. Left out, Accept-Language decides, and then the language of the taxpayer.`,
  ),
};

/** From `/api/extensions/v1/outbound/<docUid>/view`. */
const ROOT = '../../../../../';

const page = Type.String({ format: 'binary', contentMediaType: 'text/html' });

const HEADERS = {
  'Content-Language': Type.String({ description: 'The language of the page.' }),
  'Content-Security-Policy': Type.String({
    description: 'No script, nothing from elsewhere, no style but that of the page itself.',
  }),
  'Referrer-Policy': Type.String({ description: 'no-referrer: what the page links to does not learn its address.' }),
  'X-Robots-Tag': Type.String({ description: 'noindex: no search engine keeps the page.' }),
  [RENDERER_HEADER]: Type.String({
    description:
      'The version of what makes the page. The same document in the same state gives the same bytes under one version.',
    examples: [String(RENDERER)],
  }),
};

const SUMMARIES: Readonly<Record<Direction, string>> = {
  outbound: 'An outbound document as a page for people, with its status in plain words.',
  inbound: 'A received document as a page for people, with its status in plain words.',
};

export function viewDocumentRoutes(mount: Mount, needs: Needs): void {
  for (const direction of ['outbound', 'inbound'] as const) viewRoute(mount, direction, needs);
}

function viewRoute(mount: Mount, direction: Direction, needs: Needs): void {
  addCall(mount, {
    method: 'GET',
    path: `/${direction}/:docUid/view`,
    operationId: direction === 'outbound' ? 'viewOutbound' : 'viewInbound',
    summary: SUMMARIES[direction],
    description:
      'HTML that needs nothing else, to be shown, kept or printed on A4: parties, lines, VAT, totals, references, payment, notes, the QR code of the register, status, warnings and failure. It is made from the stored file, which alone counts. At most 1,000 lines are shown; the page says so. A file that is neither UBL nor in the form of the authority is named as such, with what is known of it. Times are those of Skopje. For readers without a key see the call view-link.',
    tag: direction,
    params: documentPath,
    parameters: PARAMETERS,
    success: { 200: page },
    answerHeaders: { 200: HEADERS },
    errors: ['ERR-3001'],
    async answer(request, reply, { lang }) {
      const { tenant } = callerOf(request);
      const docUid = requestedDocUid(request);
      const viewed = await needs.viewDocument(tenant, direction, docUid);
      const chosen = lang ?? askedLanguage(request.raw) ?? tenant.language;
      const html = await documentPage(viewed, {
        language: chosen,
        isDemo: needs.isDemo,
        pause: needs.timers.nextTurn,
        root: ROOT,
        otherLanguages: [],
      });
      const name = fileName(viewed.state.document.documentNumber, docUid, 'html');
      const headers = { ...DOCUMENT_HEADERS, 'content-language': chosen };
      reply.header('vary', `${CACHE_HEADERS.vary}, Accept-Language`);
      return sendWithDigest(request, reply, { bytes: Buffer.from(html), name, headers });
    },
  });
}
