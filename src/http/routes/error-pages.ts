import type { FastifyInstance, FastifyReply } from 'fastify';
import { isErrorCode } from '../../application/errors/problem-catalogue.ts';
import { errorIndexPage, errorPage } from '../answers/error-pages.ts';
import { httpProblem } from '../answers/problem-response.ts';

/** Without authentication: the `type` of a problem must be readable also without a key. */
export function errorPageRoutes(app: FastifyInstance, { demoBase }: { readonly demoBase: () => string }): void {
  app.get('/errors', async (_request, reply) => sendHtml(reply, errorIndexPage()));
  app.get<{ Params: { code: string } }>('/errors/:code', async (request, reply) => {
    const { code } = request.params;
    if (!isErrorCode(code)) throw httpProblem(404, 'The error catalogue has no such code.');
    return sendHtml(reply, errorPage(code, demoBase()));
  });
}

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .header('x-content-type-options', 'nosniff')
    .send(html);
}
