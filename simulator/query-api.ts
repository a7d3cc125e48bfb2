import type { IncomingMessage } from 'node:http';
import { loadCodeLists } from './code-lists.ts';
import { type HttpAnswer, jsonAnswer } from './http-answer.ts';
import { skopjeTime } from './skopje-time.ts';

export const QUERY_API_ROOT = '/einvoice_api';

const CALLER_HEADERS = ['X-EUJP-ID', 'X-EDB'];

type Route = {
  readonly method: 'GET' | 'POST';
  /** False for the one service that answers without saying who asks. */
  readonly needsCaller: boolean;
  readonly answer: (createdDate: string) => unknown;
};

/**
 * The query API: catalogues, statuses and inbound documents. A refusal comes with HTTP 200, as the authority does it;
 * only the member `success` tells.
 */
export function createQueryApi(now: () => Date): (request: IncomingMessage, path: string) => HttpAnswer {
  const routes = queryRoutes();
  return (request, path) => {
    const createdDate = skopjeTime(now());
    const refuse = (errorCode: string, errorMessage: string) =>
      jsonAnswer({ success: false, createdDate, errorStatus: { errorCode, errorMessage, errorPropertyMap: null } });

    const route = routes.get(path);
    if (route === undefined) return refuse('E4004', `No handler found for ${request.method} ${QUERY_API_ROOT}${path}`);
    if (request.method !== route.method) return refuse('E4005', `Request method '${request.method}' is not supported`);
    const missing = route.needsCaller ? missingHeaders(request) : [];
    if (missing.length > 0) return refuse('E4016', `Missing request headers: ${missing.join(', ')}`);
    return jsonAnswer(route.answer(createdDate));
  };
}

function queryRoutes(): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  routes.set('/api/v1/server-time', {
    method: 'GET',
    needsCaller: false,
    answer: (createdDate) => ({ timestamp: createdDate }),
  });
  for (const [service, stored] of loadCodeLists()) {
    routes.set(`/api/v1/${service}`, {
      method: 'GET',
      needsCaller: true,
      answer: (createdDate) => ({ ...stored, createdDate }),
    });
  }
  return routes;
}

function missingHeaders(request: IncomingMessage): readonly string[] {
  return CALLER_HEADERS.filter((name) => {
    const value = request.headers[name.toLowerCase()];
    return typeof value !== 'string' || value.trim() === '';
  });
}
