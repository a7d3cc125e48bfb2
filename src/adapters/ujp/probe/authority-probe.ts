import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { AuthorityProbe, ProbeStep } from '../../../application/ports/authority-probe.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { answerError } from '../answers/answer-error.ts';
import type { Exchange } from '../answers/exchange.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import type { AuthorityService } from '../gateway/authority-service.ts';
import type { AuthorityQueries } from '../services/authority-queries.ts';
import { compareAnswer } from '../shapes/compare-answer.ts';
import { shapeOf } from '../shapes/service-shapes.ts';
import { type Known, type ProbeRequest, plannedSteps } from './probe-steps.ts';

type Needs = {
  readonly caller: Pick<AuthorityCaller, 'get' | 'post' | 'postSigned'>;
  readonly queries: Pick<AuthorityQueries, 'company'>;
  readonly clock: Clock;
};

type Seen = { readonly step: ProbeStep; readonly answer: JsonObject | null };

const MAX_ANSWER_BYTES = 64 * 1_048_576;
/** With these the authority says that it has nothing to show; which of them depends on the service. */
const NOTHING_FOUND = ['E1015', 'E1017', 'E1018', 'E1019', 'E4008'];

export function createAuthorityProbe({ caller, queries, clock }: Needs): AuthorityProbe {
  async function ask(tenant: Tenant, request: ProbeRequest): Promise<Seen> {
    const { service: name, path, how, body } = request;
    const service: AuthorityService<Seen> = {
      api: 'query',
      path,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      // A missing right to download is told as what it is, not as a refused account.
      isDownload: true,
      read: (exchange) => judge(name, exchange),
    };
    if (how === 'get') return caller.get(tenant, service);
    return how === 'post' ? caller.post(tenant, service, body) : caller.postSigned(tenant, service, body);
  }

  async function tryStep(tenant: Tenant, request: ProbeRequest): Promise<Seen> {
    try {
      return await ask(tenant, request);
    } catch (error) {
      if (!(error instanceof AuthorityCallError)) throw error;
      return { step: failed(request.service, error), answer: null };
    }
  }

  return {
    count: () => plannedSteps({ edb: '', now: 0 }).length,
    async run(tenant, onStep) {
      const steps: ProbeStep[] = [];
      let known: Known = { sold: null, bought: null };
      for (const planned of plannedSteps({ edb: tenant.edb, now: clock.now() })) {
        const request = planned.request(known);
        const { step, answer } = request === null ? notTried(planned.service) : await tryStep(tenant, request);
        if (answer !== null) known = { ...known, ...request?.learn?.(answer) };
        steps.push(step);
        onStep(step);
      }
      return steps;
    },
    async isVatRegistered(tenant) {
      return ((await queries.company(tenant, tenant.edb))?.vatNumber ?? null) !== null;
    },
  };
}

function judge(service: ProbeRequest['service'], exchange: Exchange): Seen {
  const compared = compareAnswer(shapeOf(service), exchange);
  const answer = isJsonObject(compared.answer) ? compared.answer : null;
  // Thrown, so that the caller repeats a request that came too early.
  if (compared.outcome === 'errors') throw answerError(exchange, compared.answer);
  const deviations = compared.deviations.map(({ path, expected, found, times }) => ({ path, expected, found, times }));
  const outcome = deviations.length === 0 ? 'as-expected' : 'deviates';
  return { step: { service, outcome, detail: null, deviations, unknownMembers: compared.unknown }, answer };
}

function failed(service: string, error: AuthorityCallError): ProbeStep {
  const isEmpty = error.errors.some(({ code }) => code !== null && NOTHING_FOUND.includes(code));
  const outcome = isEmpty ? 'nothing-found' : 'failed';
  return { service, outcome, detail: error.message, deviations: [], unknownMembers: [] };
}

function notTried(service: string): Seen {
  const detail = 'The taxpayer has no document of the last weeks to ask for.';
  return { step: { service, outcome: 'not-tried', detail, deviations: [], unknownMembers: [] }, answer: null };
}
