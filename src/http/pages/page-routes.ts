import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isErrorCode } from '../../application/errors/problem-catalogue.ts';
import type { MethodsOfPaths } from '../answers/method-not-allowed.ts';
import { httpProblem } from '../answers/problem-response.ts';
import type { Descriptions } from '../mount-interfaces.ts';
import { ASSETS } from './assets.ts';
import type { DescribedInterface } from './described-interface.ts';
import { errorIndexPage, errorPage } from './error-pages.ts';
import { readExample } from './examples.ts';
import { frontPage, notFoundPage } from './front-page.ts';
import type { View } from './page.ts';
import { prefersHtml } from './prefers-html.ts';
import { referencePage } from './reference-page.ts';
import { PAGE_HEADERS, sendPage, viewFor } from './send-page.ts';

export type PageNeeds = {
  readonly methods: MethodsOfPaths;
  readonly isDemo: boolean;
  /** Root of a demo environment: commands on pages work only there. */
  readonly demoUrl: () => string;
  /** Known once the server is ready. */
  readonly descriptions: () => Descriptions;
};

const A_YEAR = 'public, max-age=31536000, immutable';

const REFERENCES = { integration: '/docs', extensions: '/docs/extensions' } as const;

/** Without authentication: the `type` of a problem, for one, must be readable also without a key. */
export function pageRoutes(app: FastifyInstance, needs: PageNeeds): void {
  const { methods, isDemo, demoUrl } = needs;
  methods.remember(app, () => {
    app.get('/errors', async (request, reply) => {
      const view = viewFor(request, isDemo);
      return sendPage(reply, view, errorIndexPage(view));
    });
    app.get<{ Params: { code: string } }>('/errors/:code', async (request, reply) => {
      const { code } = request.params;
      if (!isErrorCode(code)) throw httpProblem(404, 'The error catalogue has no such code.');
      const view = viewFor(request, isDemo);
      return sendPage(reply, view, errorPage(view, code, demoUrl()));
    });
    for (const [name, path] of Object.entries(REFERENCES)) {
      const reference = keptReference(name as keyof typeof REFERENCES, needs);
      app.get(path, async (request, reply) => {
        const view = viewFor(request, isDemo);
        return sendPage(reply, view, await reference(view));
      });
    }
    app.get<{ Params: { name: string } }>('/examples/:name', async (request, reply) => {
      const bytes = await readExample(request.params.name);
      if (bytes === null) throw httpProblem(404, 'There is no such example.');
      return reply.headers(PAGE_HEADERS).header('content-type', 'application/xml').send(bytes);
    });
    for (const { fileName, contentType, bytes } of Object.values(ASSETS)) {
      app.get(`/assets/${fileName}`, async (_request, reply) =>
        reply.headers(PAGE_HEADERS).header('content-type', contentType).header('cache-control', A_YEAR).send(bytes),
      );
    }
  });
  // Not among the others: for whoever is no browser there is nothing at the root, whatever the method.
  app.get('/', async (request, reply) => {
    if (!prefersHtml(request.raw)) return reply.callNotFound();
    const view = viewFor(request, isDemo);
    return sendPage(reply, view, frontPage(view, demoUrl()));
  });
}

/** Made once for each language and form of its address: it takes some time, and whoever has no key may ask for it. */
function keptReference(name: keyof typeof REFERENCES, { descriptions }: PageNeeds): (view: View) => Promise<string> {
  const kept = new Map<string, string>();
  return async (view) => {
    const key = JSON.stringify(view);
    const made = kept.get(key);
    if (made !== undefined) return made;
    const described = descriptions()[name] as DescribedInterface;
    const exampleBody = new TextDecoder().decode((await readExample('invoice.xml')) ?? undefined);
    const page = referencePage(view, { name, described, exampleBody });
    kept.set(key, page);
    return page;
  };
}

/** A page where a browser asked for what is not there; false for whoever reads problems. */
export function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply, isDemo: boolean): boolean {
  if (!['GET', 'HEAD'].includes(request.method) || !prefersHtml(request.raw)) return false;
  const view = viewFor(request, isDemo);
  sendPage(reply.code(404), view, notFoundPage(view));
  return true;
}
