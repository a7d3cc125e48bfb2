import type { FastifyInstance } from 'fastify';
import { message } from '../../domain/messages/message.ts';
import { METHODS } from '../connections/node-http.ts';
import { httpProblem } from './problem-response.ts';

/** All that Node reads but CONNECT, which never reaches a route. */
const ROUTED = METHODS.filter((method) => method !== 'CONNECT');

/** Adds routes by calling `mount`, then answers all other methods of their paths with 405 and an Allow header. */
export function refuseOtherMethods(app: FastifyInstance, mount: () => void): void {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ routePath, method }) => {
    const methods = methodsByPath.get(routePath) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPath.set(routePath, methods);
  });
  mount();
  const known = new Set(app.supportedMethods);
  for (const method of ROUTED) if (!known.has(method)) app.addHttpMethod(method);
  for (const [path, allowed] of [...methodsByPath]) {
    const allow = [...allowed].sort().join(', ');
    app.route({
      url: path,
      method: ROUTED.filter((method) => !allowed.has(method)),
      handler: () => {
        throw httpProblem(405, message('methods-of-resource', { methods: allow }), { allow });
      },
    });
  }
}
