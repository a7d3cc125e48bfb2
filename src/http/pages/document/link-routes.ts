import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../application/errors/problem.ts';
import type { ErrorCode } from '../../../application/errors/problem-catalogue.ts';
import type { AddressLimiter } from '../../../application/ports/access.ts';
import type { Timers } from '../../../application/ports/platform.ts';
import type { Direction, ViewDocument, ViewedDocument } from '../../../application/views/view-document.ts';
import type { ViewLinks } from '../../../application/views/view-links.ts';
import { callerNetwork } from '../../../domain/audit/caller-network.ts';
import { LANGUAGES, type Language, OPERATOR_LANGUAGE } from '../../../domain/messages/languages.ts';
import { viewWords } from '../../../domain/messages/view-texts.ts';
import { askedLanguage } from '../../answers/answer-language.ts';
import type { MethodsOfPaths } from '../../answers/method-not-allowed.ts';
import { type AuditNeeds, auditCall } from '../../requests/audit-call.ts';
import { docUidInPath } from '../../requests/request-context.ts';
import { type Html, html } from '../html.ts';
import { filled } from '../page.ts';
import { documentFrame } from './document-frame.ts';
import { documentPage } from './document-page.ts';
import { DOCUMENT_HEADERS } from './page-headers.ts';

type Needs = AuditNeeds & {
  readonly methods: MethodsOfPaths;
  readonly viewLinks: ViewLinks;
  readonly viewDocument: ViewDocument;
  readonly linkLimiter: AddressLimiter;
  readonly timers: Timers;
};

/** From `/view/outbound/<docUid>`. */
const ROOT = '../../';

/** A link is opened from wherever its reader is: nothing between may keep the page, and nothing learns its address from it. */
const LINK_HEADERS = {
  ...DOCUMENT_HEADERS,
  'cache-control': 'private, no-store',
  vary: 'Accept-Language',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** Documents that are viewed by a link, without a key. Each opening has an entry in the audit trail, also one that shows nothing. */
export function linkRoutes(app: FastifyInstance, needs: Needs, isDemo: boolean): void {
  const { methods, linkLimiter, timers } = needs;
  methods.remember(app, () => {
    for (const direction of ['outbound', 'inbound'] as const) {
      app.route({
        method: 'GET',
        url: `/view/${direction}/:docUid`,
        onRequest: async (request, reply) => auditCall(request, reply, needs),
        async handler(request, reply) {
          const language = languageFor(request);
          const { allowed, retryAfterSeconds } = linkLimiter.take(callerNetwork(request.context.address));
          if (!allowed) return sendLimit(reply, language, retryAfterSeconds);
          const token = tokenOf(request);
          const viewed = await openLink(request, direction, token, needs);
          if (viewed === null) return sendUnusable(reply, language);
          const otherLanguages = LANGUAGES.filter((one) => one !== language).map((other) => ({
            language: other,
            address: `?link=${token}&lang=${other}`,
          }));
          const options = { language, isDemo, pause: timers.nextTurn, root: ROOT, otherLanguages };
          return send(reply, language, await documentPage(viewed, options));
        },
      });
    }
  });
}

function tokenOf(request: FastifyRequest): string {
  const { link } = request.query as { readonly link?: unknown };
  return typeof link === 'string' ? link : '';
}

async function openLink(request: FastifyRequest, direction: Direction, token: string, needs: Needs) {
  const docUid = docUidInPath(request);
  const tenant = docUid === null ? null : await needs.viewLinks.open(token, { direction, docUid });
  if (docUid === null || tenant === null) return null;
  request.context.linkTenant = tenant.edb;
  request.context.isAdmitted = true;
  return shownOf(needs.viewDocument(tenant, direction, docUid));
}

/** Null where the document is not there any more, as for any other link that shows none. */
async function shownOf(viewing: Promise<ViewedDocument>): Promise<ViewedDocument | null> {
  try {
    return await viewing;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

/** The same bytes for the same language, whatever is wrong. */
function sendUnusable(reply: FastifyReply, language: Language): FastifyReply {
  reply.request.context.code = 'ERR-3001';
  const words = viewWords(language);
  const says = html`${words('link-unusable-means')}`;
  return send(reply.code(404), language, refusal(language, { title: words('link-unusable'), says, code: 'ERR-3001' }));
}

function sendLimit(reply: FastifyReply, language: Language, seconds: number): FastifyReply {
  reply.request.context.code = 'ERR-1006';
  const words = viewWords(language);
  const says = filled(words('link-limit-means'), { seconds });
  reply.code(429).header('retry-after', String(seconds));
  return send(reply, language, refusal(language, { title: words('link-limit'), says, code: 'ERR-1006' }));
}

function refusal(
  language: Language,
  { title, says, code }: { readonly title: string; readonly says: Html; readonly code: ErrorCode },
): string {
  const body = html`<h1>${title}</h1><p class="lead">${says}</p><p class="quiet">${code}</p>`;
  return documentFrame({ language, title, body }, { root: ROOT, otherLanguages: [] });
}

function send(reply: FastifyReply, language: Language, page: string): FastifyReply {
  return reply.headers(LINK_HEADERS).header('content-language', language).send(page);
}

/** By the link in the page, else what the browser is set to. */
function languageFor(request: FastifyRequest): Language {
  const { lang } = request.query as { readonly lang?: unknown };
  return LANGUAGES.find((one) => one === lang) ?? askedLanguage(request.raw) ?? OPERATOR_LANGUAGE;
}
