import { authorityError } from '../authority-error.ts';
import { immediately, type PlannedResponse } from '../faults/planned-response.ts';
import { type Scenario, scenarioOf } from '../faults/scenario.ts';
import { BAD_GATEWAY, type HttpAnswer } from '../http-answer.ts';
import type { AuthorisedRequest } from './authorise-request.ts';
import { messageOf } from './error-messages.ts';

type Register = (authorised: AuthorisedRequest, now: Date) => HttpAnswer;

const BUSY_TIMES = 2;

/** Registers a document, or not, and answers, or not, as the scenario of its number says. */
export function createScenarioRunner(
  register: Register,
): (authorised: AuthorisedRequest, now: Date) => PlannedResponse {
  const timesBusy = new Map<string, number>();
  const unanswered = new Set<string>();

  const refuseWhileBusy = (key: string) => {
    const times = timesBusy.get(key) ?? 0;
    timesBusy.set(key, times + 1);
    if (times < BUSY_TIMES) throw authorityError('E4007', messageOf('E4007'));
  };
  /** Only the first registration under a number goes unanswered, so that a repeated request is answered with E1023. */
  const timingOf = ({ kind }: Scenario, key: string): PlannedResponse['timing'] => {
    if (kind === 'slow') return 'delayed';
    if ((kind !== 'lost-answer' && kind !== 'timeout-after') || unanswered.has(key)) return 'immediate';
    unanswered.add(key);
    return kind === 'lost-answer' ? 'disconnect' : 'never';
  };

  return (authorised, now) => {
    const scenario = scenarioOf(authorised.docNumber);
    const key = `${authorised.caller.edb} ${String(authorised.docNumber)}`;
    if (scenario.kind === 'reject') throw authorityError(scenario.code, messageOf(scenario.code));
    if (scenario.kind === 'timeout') return { answer: BAD_GATEWAY, timing: 'never' };
    if (scenario.kind === '502-html') return immediately(BAD_GATEWAY);
    if (scenario.kind === 'busy') refuseWhileBusy(key);
    const answer = register(authorised, now);
    return { answer, timing: timingOf(scenario, key) };
  };
}
