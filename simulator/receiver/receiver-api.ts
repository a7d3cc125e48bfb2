import { atOnce, type Delivery } from '../failures/delivery.ts';
import type { Pacing } from '../gate/pacing.ts';
import { bareAnswer } from '../http-answer.ts';
import { isJson, type ReceivedRequest } from '../received-request.ts';
import { Refusal } from '../refusal.ts';
import { admit } from './admission.ts';
import { refusalAnswer } from './refusal-answer.ts';
import { createScenarioPlayer } from './scenario-player.ts';
import { createSendInvoice, type SendNeeds } from './send-invoice.ts';

export const RECEIVER_ROOT = '/JSONReceiver';

const SEND = '/api/v1/sales-invoices/send';

/** The document receiver: one service that answers at once, by HTTP status and code. */
export function createReceiver(
  needs: SendNeeds & { readonly pacing: Pacing; readonly now: () => Date },
): (request: ReceivedRequest) => Delivery {
  const { state, pacing, now } = needs;
  const play = createScenarioPlayer(createSendInvoice(needs));
  return (request) => {
    if (request.path !== `${RECEIVER_ROOT}${SEND}`) return atOnce(bareAnswer(404));
    try {
      if (request.method !== 'POST') return refused('E4005', `Request method '${request.method}' is not supported`);
      if (!isJson(request)) return atOnce(bareAnswer(415));
      const moment = now();
      return play(admit(request, state.registry, pacing, moment), moment);
    } catch (error) {
      if (error instanceof Refusal) return atOnce(refusalAnswer(error.findings));
      throw error;
    }
  };
}

function refused(code: string, message: string): Delivery {
  return atOnce(refusalAnswer([{ code, message }]));
}
