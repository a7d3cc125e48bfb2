import type { FastifyInstance, FastifyRequest } from 'fastify';
import { extensionSchemas } from './answers/extensions/extension-schemas.ts';
import { createMethodsOfPaths, type MethodsOfPaths } from './answers/method-not-allowed.ts';
import { httpProblem } from './answers/problem-response.ts';
import { namedSchemas } from './answers/schemas.ts';
import { API_ROOT, type Api, integrationCalls } from './api.ts';
import { EXTENSIONS_ROOT, extensionCalls } from './extensions.ts';
import type { TSchema } from './json-schema.ts';
import type { CallDescription } from './openapi/call-description.ts';
import { type DescribedServer, describeInterface } from './openapi/describe-interface.ts';
import { extensionsInfo, type InterfaceInfo, integrationInfo } from './openapi/interface-info.ts';
import { authentication, type CheckKeyAgain, createCheckKeyAgain } from './requests/authentication.ts';
import type { BodiesUnderWay } from './requests/bodies-under-way.ts';
import { createBodyBudget } from './requests/body-budget.ts';
import { checkUnneededBody } from './requests/check-unneeded-body.ts';
import { negotiateJsonType } from './requests/json-media-type.ts';
import { completeRateLimitHeaders } from './requests/rate-limit-headers.ts';
import { createReadBody, type ReadBody } from './requests/read-body.ts';
import { createRecogniseCaller } from './requests/recognise-caller.ts';
import type { Mount } from './route.ts';

/** What calls need beside the use cases. */
type Mounted = {
  readonly readBody: ReadBody;
  readonly checkKeyAgain: CheckKeyAgain;
  readonly publicUrl: () => string;
  readonly isDemo: boolean;
};

/** An interface with a root and a description of its own. */
type Interface = {
  readonly root: string;
  readonly info: InterfaceInfo;
  /** Those that its description lists by name. */
  readonly schemas: readonly TSchema[];
  readonly addCalls: (mount: Mount, api: Api & Mounted) => void;
};

const INTERFACES: Readonly<Record<'integration' | 'extensions', Interface>> = {
  integration: { root: API_ROOT, info: integrationInfo, schemas: namedSchemas, addCalls: integrationCalls },
  extensions: {
    root: EXTENSIONS_ROOT,
    info: extensionsInfo,
    schemas: [...namedSchemas, ...extensionSchemas],
    addCalls: extensionCalls,
  },
};

const ROOTS: ReadonlySet<string> = new Set(Object.values(INTERFACES).map(({ root }) => root));

type Needs = {
  readonly bodiesUnderWay: BodiesUnderWay;
  /** Where the described calls are sent to. */
  readonly describedServer: () => DescribedServer;
  readonly isDemo: boolean;
};

export type Descriptions = Readonly<Record<keyof typeof INTERFACES, unknown>>;

/** Adds the interfaces, which share keys, limits and memory. Returns their OpenAPI descriptions, once the server is ready. */
export function mountInterfaces(app: FastifyInstance, api: Api, needs: Needs): () => Descriptions {
  const { bodiesUnderWay, describedServer, isDemo } = needs;
  const budget = createBodyBudget(api.bodyBudgetBytes, api.bodyMemory);
  const checkKeyAgain = createCheckKeyAgain(api.checkKey);
  const readBody = createReadBody({ budget, bodiesUnderWay, timers: api.timers, checkKeyAgain });
  const recogniseCaller = createRecogniseCaller(api.recogniseKey);
  const describe = new Map<string, () => unknown>();
  for (const [name, { root, info, schemas, addCalls }] of Object.entries(INTERFACES)) {
    const calls: CallDescription[] = [];
    const description = () => describeInterface({ info, root, schemas, calls, server: describedServer() });
    describe.set(name, description);
    void app.register(
      async (scope) => {
        for (const schema of schemas) scope.addSchema(schema);
        scope.addHook('preHandler', checkUnneededBody({ readBody, recogniseCaller }));
        scope.addHook('onSend', completeRateLimitHeaders({ recogniseCaller, allowanceOf: api.allowanceOf }));
        scope.addHook('onSend', negotiateJsonType);
        const methods = createMethodsOfPaths();
        methods.remember(scope, () => {
          const mount: Mount = {
            app: scope,
            authenticated: authentication(api.authenticate, { isOwnLimit: true }),
            authenticatedInquiry: authentication(api.authenticateInquiry, { isOwnLimit: false }),
            describe: (call) => calls.push(call),
          };
          addCalls(mount, { ...api, readBody, checkKeyAgain, isDemo, publicUrl: () => describedServer().url });
          serveDescription(scope, description);
        });
        scope.setNotFoundHandler(refuseUnknown(methods));
      },
      { prefix: root },
    );
  }
  return () => Object.fromEntries([...describe].map(([name, document]) => [name, document()])) as Descriptions;
}

/** Made once: what it says depends on nothing but the public URL, which is known when the first request comes. */
function serveDescription(scope: FastifyInstance, description: () => unknown): void {
  let made: unknown = null;
  scope.get('/openapi.json', async () => {
    made ??= description();
    return made;
  });
}

/** Those to unknown paths below a root are calls, too. */
export function isCall(prefix: string): boolean {
  return ROOTS.has(prefix);
}

/** Answers requests that no route takes. */
export function refuseUnknown({ refuseOthers }: MethodsOfPaths): (request: FastifyRequest) => never {
  return (request) => {
    refuseOthers(request);
    throw httpProblem(404, 'There is nothing at this address.');
  };
}
