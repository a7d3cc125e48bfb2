import type { FastifyInstance, HTTPMethods } from 'fastify';
import { httpProblem } from './problem-response.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Answers every other method of the routes that `mount` adds with 405 and the methods they know. */
export function refuseOtherMethods(app: FastifyInstance, mount: () => void): void {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ routePath, method }) => {
    const methods = methodsByPath.get(routePath) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPath.set(routePath, methods);
  });
  mount();
  for (const [path, known] of [...methodsByPath]) {
    const allow = [...known].sort().join(', ');
    app.route({
      url: path,
      method: METHODS.filter((method) => !known.has(method)),
      schema: { hide: true },
      handler: () => {
        throw httpProblem(405, `This address answers ${allow}.`, { allow });
      },
    });
  }
}
