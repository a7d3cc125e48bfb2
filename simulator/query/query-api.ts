import { AuthorityError, authorityError } from '../authority-error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CodeLists } from '../catalogue/code-lists.ts';
import type { PayloadFaults } from '../faults/payload-faults.ts';
import { bareAnswer, type HttpAnswer, jsonAnswer } from '../http-answer.ts';
import { type HttpRequest, isJson } from '../http-request.ts';
import type { Pacing } from '../request-checks/pacing.ts';
import { skopjeTime } from '../skopje-time.ts';
import type { State } from '../state/state.ts';
import type { CurrentRules } from '../unpublished-rules.ts';
import { authoriseQuery } from './authorise-query.ts';
import { catalogueServices } from './catalogue-services.ts';
import { documentServices } from './document-services.ts';
import { inboundServices } from './inbound-services.ts';
import { registryServices } from './registry-services.ts';
import type { Service } from './service.ts';

export const QUERY_API_ROOT = '/einvoice_api';

export type QueryNeeds = {
  readonly state: State;
  readonly lists: CodeLists;
  readonly catalogue: Catalogue;
  readonly pacing: Pacing;
  readonly now: () => Date;
  readonly payloads: PayloadFaults;
  readonly rules: CurrentRules;
  readonly purchaseVatPeriodMs: number;
};

/**
 * The query API: catalogues, statuses and inbound documents. As at the authority, an error is answered with HTTP 200, and
 * only the member `success` tells it from other answers (its published reference, §2, §7.1).
 */
export function createQueryApi(needs: QueryNeeds): (request: HttpRequest) => HttpAnswer {
  const services = new Map<string, Service>([
    ...catalogueServices(needs.lists),
    ...registryServices(needs.state.registry),
    ...documentServices(needs),
    ...inboundServices(needs),
  ]);
  return (request) => {
    const now = needs.now();
    try {
      return answerOf(request, services, needs, now);
    } catch (error) {
      const [first] = error instanceof AuthorityError ? error.findings : [];
      if (first === undefined) throw error;
      return queryErrorAnswer(first.code, first.message, now);
    }
  };
}

export function queryErrorAnswer(errorCode: string, errorMessage: string, now: Date): HttpAnswer {
  const errorStatus = { errorCode, errorMessage, errorPropertyMap: null };
  return jsonAnswer({ success: false, createdDate: skopjeTime(now), errorStatus });
}

function answerOf(
  request: HttpRequest,
  services: ReadonlyMap<string, Service>,
  needs: QueryNeeds,
  now: Date,
): HttpAnswer {
  const { method, path } = request;
  const found = findService(services, path.slice(QUERY_API_ROOT.length));
  if (found === null) throw authorityError('E4004', `No handler found for ${method} ${path}`);
  const { service, variable } = found;
  if (method !== service.method) throw authorityError('E4005', `Request method '${method}' is not supported`);
  if (method === 'POST' && !isJson(request)) return bareAnswer(415);
  const access = typeof service.access === 'function' ? service.access() : service.access;
  const { caller, body } = authoriseQuery(request, access, needs, now);
  const answer = service.answer({ caller, body, variable, now });
  if (answer.kind === 'file') return { status: 200, contentType: answer.contentType, body: answer.content };
  if (answer.kind === 'bare') return jsonAnswer(answer.members);
  return jsonAnswer({ success: true, createdDate: skopjeTime(now), errorStatus: null, ...answer.members });
}

/** By the whole path, or by the path with its last part as a parameter. */
function findService(services: ReadonlyMap<string, Service>, path: string) {
  const fixed = services.get(path);
  if (fixed !== undefined) return { service: fixed, variable: '' };
  const cut = path.lastIndexOf('/') + 1;
  const variable = path.slice(cut);
  const parameterised = variable === '' ? undefined : services.get(`${path.slice(0, cut)}{}`);
  return parameterised === undefined ? null : { service: parameterised, variable };
}
