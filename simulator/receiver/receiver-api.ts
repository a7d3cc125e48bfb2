import { AuthorityError } from '../authority-error.ts';
import { immediately, type PlannedResponse } from '../faults/planned-response.ts';
import { bareAnswer } from '../http-answer.ts';
import { type HttpRequest, isJson } from '../http-request.ts';
import type { Pacing } from '../request-checks/pacing.ts';
import { authoriseRequest } from './authorise-request.ts';
import { receiverErrorAnswer } from './receiver-error-answer.ts';
import { createScenarioRunner } from './scenario-runner.ts';
import { createSendInvoice, type SendNeeds } from './send-invoice.ts';

export const RECEIVER_ROOT = '/JSONReceiver';

const SEND = '/api/v1/sales-invoices/send';

/** The receiver of documents: one service, which answers errors with an HTTP status and a code. */
export function createReceiver(
  needs: SendNeeds & { readonly pacing: Pacing; readonly now: () => Date },
): (request: HttpRequest) => PlannedResponse {
  const { state, pacing, now } = needs;
  const runScenario = createScenarioRunner(createSendInvoice(needs));
  return (request) => {
    if (request.path !== `${RECEIVER_ROOT}${SEND}`) return immediately(bareAnswer(404));
    try {
      if (request.method !== 'POST')
        return errorResponse('E4005', `Request method '${request.method}' is not supported`);
      if (!isJson(request)) return immediately(bareAnswer(415));
      const moment = now();
      return runScenario(authoriseRequest(request, state.registry, pacing, moment), moment);
    } catch (error) {
      if (error instanceof AuthorityError) return immediately(receiverErrorAnswer(error.findings));
      throw error;
    }
  };
}

function errorResponse(code: string, message: string): PlannedResponse {
  return immediately(receiverErrorAnswer([{ code, message }]));
}
