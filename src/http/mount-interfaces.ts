import swagger, { type SwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from './answers/method-not-allowed.ts';
import { httpProblem } from './answers/problem-response.ts';
import { namedSchemas } from './answers/schemas.ts';
import { API_ROOT, type Api, integrationCalls } from './api.ts';
import { EXTENSIONS_ROOT, extensionCalls } from './extensions.ts';
import { extensionsDescription, integrationDescription } from './openapi.ts';
import { authentication } from './requests/authentication.ts';
import type { BodiesUnderWay } from './requests/bodies-under-way.ts';
import { createBodyBudget } from './requests/body-budget.ts';
import { checkUnneededBody } from './requests/check-unneeded-body.ts';
import { negotiateJsonType } from './requests/json-media-type.ts';
import { completeRateLimitHeaders } from './requests/rate-limit-headers.ts';
import { createReadBody, type ReadBody } from './requests/read-body.ts';
import { createRecogniseCaller } from './requests/recognise-caller.ts';
import type { Mount } from './route.ts';

/** An interface with a root and a description of its own. */
type Interface = {
  readonly root: string;
  readonly description: SwaggerOptions;
  readonly addCalls: (mount: Mount, api: Api & { readonly readBody: ReadBody }) => void;
};

const INTERFACES: Readonly<Record<'integration' | 'extensions', Interface>> = {
  integration: { root: API_ROOT, description: integrationDescription, addCalls: integrationCalls },
  extensions: { root: EXTENSIONS_ROOT, description: extensionsDescription, addCalls: extensionCalls },
};

const ROOTS: ReadonlySet<string> = new Set(Object.values(INTERFACES).map(({ root }) => root));

export type Descriptions = Readonly<Record<keyof typeof INTERFACES, unknown>>;

/** Adds the interfaces, which share keys, limits and memory. Returns their OpenAPI descriptions, once the server is ready. */
export function mountInterfaces(app: FastifyInstance, api: Api, bodiesUnderWay: BodiesUnderWay): () => Descriptions {
  const budget = createBodyBudget(api.bodyBudgetBytes, api.bodyMemory);
  const readBody = createReadBody({ budget, bodiesUnderWay, timers: api.timers });
  const recogniseCaller = createRecogniseCaller(api.recogniseKey);
  const describe = new Map<string, () => unknown>();
  for (const [name, { root, description, addCalls }] of Object.entries(INTERFACES)) {
    void app.register(
      async (scope) => {
        await scope.register(swagger, description);
        for (const schema of namedSchemas) scope.addSchema(schema);
        scope.addHook('preHandler', checkUnneededBody({ readBody, recogniseCaller }));
        scope.addHook('onSend', completeRateLimitHeaders({ recogniseCaller, allowanceOf: api.allowanceOf }));
        scope.addHook('onSend', negotiateJsonType);
        refuseOtherMethods(scope, () => {
          addCalls({ app: scope, authenticated: authentication(api.authenticate) }, { ...api, readBody });
          scope.get('/openapi.json', { schema: { hide: true } }, async () => scope.swagger());
        });
        scope.setNotFoundHandler(notFound);
        describe.set(name, () => scope.swagger());
      },
      { prefix: root },
    );
  }
  return () => Object.fromEntries([...describe].map(([name, document]) => [name, document()])) as Descriptions;
}

/** Those to unknown paths below a root are calls, too. */
export function isCall(prefix: string): boolean {
  return ROOTS.has(prefix);
}

export function notFound(): never {
  throw httpProblem(404, 'There is nothing at this address.');
}
