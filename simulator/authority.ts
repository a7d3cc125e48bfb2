import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts';
import { loadCodeLists } from './catalogue/code-lists.ts';
import { catchUnexpectedError } from './catch-unexpected-error.ts';
import type { PayloadFaults } from './faults/payload-faults.ts';
import { immediately, type PlannedResponse } from './faults/planned-response.ts';
import type { RandomFaults } from './faults/random-faults.ts';
import { EUID_PAGE_ROOT, euidPage } from './files/euid-page.ts';
import { BAD_GATEWAY, NOT_FOUND } from './http-answer.ts';
import type { HttpRequest } from './http-request.ts';
import { createQueryApi, QUERY_API_ROOT, queryErrorAnswer } from './query/query-api.ts';
import { createReceiver, RECEIVER_ROOT } from './receiver/receiver-api.ts';
import { receiverErrorAnswer } from './receiver/receiver-error-answer.ts';
import { createRegisterDocument, type RegisterDocument } from './receiver/register-document.ts';
import { createPacing, NO_PACING } from './request-checks/pacing.ts';
import { PERIODS, type SimulatorOptions } from './simulator-options.ts';
import { createDueDecisions } from './state/due-decisions.ts';
import type { State } from './state/state.ts';
import type { CurrentRules } from './unpublished-rules.ts';

const CONNECTION_CUT: PlannedResponse = { answer: BAD_GATEWAY, timing: 'disconnect' };

/** What the admin API changes while the program runs. */
export type Controls = {
  readonly faults: RandomFaults;
  readonly rules: CurrentRules;
  readonly payloads: PayloadFaults;
};

export type Authority = {
  readonly answer: (request: HttpRequest) => PlannedResponse;
  readonly catalogue: Catalogue;
  readonly register: RegisterDocument;
};

/** Everything that the authority itself serves: its two APIs and the page that a QR code links to. */
export function createAuthority(
  state: State,
  options: SimulatorOptions,
  { faults, rules, payloads }: Controls,
  portalUrl: () => string,
): Authority {
  const now = options.now ?? (() => new Date());
  const lists = loadCodeLists();
  const catalogue = createCatalogue(lists, now);
  const pacing = options.paced === true ? createPacing(now) : NO_PACING;
  const periods = { ...PERIODS, ...options };
  const decisions = createDueDecisions(state, periods);
  const register = createRegisterDocument(state, decisions, options.newUuid);
  const shared = { state, catalogue, pacing, rules, now };
  const receive = createReceiver({ ...shared, register, portalUrl });
  const { purchaseVatPeriodMs } = periods;
  const query = createQueryApi({ ...shared, lists, payloads, purchaseVatPeriodMs });

  const answer = (request: HttpRequest): PlannedResponse => {
    const { path } = request;
    decisions.applyDue(now().getTime());
    if (path.startsWith(`${RECEIVER_ROOT}/`)) {
      if (faults.losesRequest()) return CONNECTION_CUT;
      const response = catchUnexpectedError(
        request,
        () => receive(request),
        () => immediately(receiverErrorAnswer([])),
      );
      return faults.losesAnswer() ? CONNECTION_CUT : response;
    }
    if (path.startsWith(`${QUERY_API_ROOT}/`)) {
      const internalError = () => queryErrorAnswer('E5000', 'Internal server error', now());
      const found = catchUnexpectedError(request, () => query(request), internalError);
      return faults.losesQuery() ? CONNECTION_CUT : immediately(found);
    }
    if (!path.startsWith(EUID_PAGE_ROOT)) return immediately(NOT_FOUND);
    return immediately(euidPage(path.slice(EUID_PAGE_ROOT.length), state.documents, catalogue));
  };
  return { answer, catalogue, register };
}
