import type { FastifyInstance, FastifyRequest } from 'fastify';
import { message } from '../../domain/messages/message.ts';
import { httpProblem } from './problem-response.ts';

export type MethodsOfPaths = {
  /** Adds routes by calling `mount`, and remembers which methods their paths have. */
  readonly remember: (app: FastifyInstance, mount: () => void) => void;
  /** For a request that no route takes. Where its path has other methods: 405, with an Allow header. */
  readonly refuseOthers: (request: FastifyRequest) => void;
};

/** A URL may name its server as well. */
const SERVER = /^https?:\/\/[^/]*/u;

/**
 * Knows what methods paths have. A route for each method that a path does not have would cost more: they are thirty, and the router compiles
 * each of its routes at every start.
 */
export function createMethodsOfPaths(): MethodsOfPaths {
  const methodsByPath = new Map<string, Set<string>>();
  let isMounting = false;
  return {
    remember(app, mount) {
      app.addHook('onRoute', ({ url, method }) => {
        // Those of scopes within this one are remembered there.
        if (!isMounting) return;
        const methods = methodsByPath.get(url) ?? new Set();
        for (const name of [method].flat()) methods.add(name);
        methodsByPath.set(url, methods);
      });
      isMounting = true;
      mount();
      isMounting = false;
    },
    refuseOthers({ url }) {
      const segments = segmentsOf(url);
      for (const [path, methods] of methodsByPath) {
        if (!isSame(path.split('/'), segments)) continue;
        const allow = [...methods].sort().join(', ');
        throw httpProblem(405, message('methods-of-resource', { methods: allow }), { allow });
      }
    },
  };
}

/** As the router sees it: decoded, and the same with and without a slash at its end. */
function segmentsOf(url: string): readonly string[] {
  const [path = ''] = url.replace(SERVER, '').split(/[?#]/u);
  return decodeURI(path).replace(/\/$/u, '').split('/');
}

function isSame(path: readonly string[], segments: readonly string[]): boolean {
  return (
    path.length === segments.length &&
    path.every((segment, index) => segment.startsWith(':') || segment === segments[index])
  );
}
