import { createCatalogue } from './catalogue/catalogue.ts';
import { loadCodeLists } from './catalogue/code-lists.ts';
import { atOnce, type Delivery } from './failures/delivery.ts';
import type { Faults } from './failures/faults.ts';
import { EUID_PAGE_ROOT, euidPage } from './files/euid-page.ts';
import { createPacing, NO_PACING } from './gate/pacing.ts';
import { guarded } from './guarded.ts';
import { BAD_GATEWAY, NOT_FOUND } from './http-answer.ts';
import { createQueryApi, QUERY_API_ROOT, refusedAnswer } from './query/query-api.ts';
import type { ReceivedRequest } from './received-request.ts';
import { createReceiver, RECEIVER_ROOT } from './receiver/receiver-api.ts';
import { refusalAnswer } from './receiver/refusal-answer.ts';
import { PERIODS, type SimulatorOptions } from './simulator-options.ts';
import { createDueDecisions } from './state/due-decisions.ts';
import type { State } from './state/state.ts';

const LOST: Delivery = { answer: BAD_GATEWAY, manner: 'cut' };

/** Everything that the authority itself serves: two programs and the page behind a QR code. */
export function createAuthority(
  state: State,
  options: SimulatorOptions,
  faults: Faults,
  portalUrl: () => string,
): (request: ReceivedRequest) => Delivery {
  const now = options.now ?? (() => new Date());
  const lists = loadCodeLists();
  const catalogue = createCatalogue(lists, now);
  const pacing = options.paced === true ? createPacing(now) : NO_PACING;
  const periods = { ...PERIODS, ...options };
  const decisions = createDueDecisions(state, periods);
  const shared = { state, catalogue, pacing, now };
  const receive = createReceiver({ ...shared, decisions, portalUrl });
  const { purchaseVatPeriodMs } = periods;
  const query = createQueryApi({ ...shared, lists, purchaseVatPeriodMs });

  return (request) => {
    const { path } = request;
    decisions.settle(now().getTime());
    if (path.startsWith(`${RECEIVER_ROOT}/`)) {
      if (faults.losesRequest()) return LOST;
      const delivery = guarded(
        request,
        () => receive(request),
        () => atOnce(refusalAnswer([])),
      );
      return faults.losesAnswer() ? LOST : delivery;
    }
    if (path.startsWith(`${QUERY_API_ROOT}/`)) {
      const broken = () => refusedAnswer('E5000', 'Internal server error', now());
      const answer = guarded(request, () => query(request), broken);
      return faults.losesQuery() ? LOST : atOnce(answer);
    }
    if (!path.startsWith(EUID_PAGE_ROOT)) return atOnce(NOT_FOUND);
    return atOnce(euidPage(path.slice(EUID_PAGE_ROOT.length), state.documents, catalogue));
  };
}
