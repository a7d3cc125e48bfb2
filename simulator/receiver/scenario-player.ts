import { atOnce, type Delivery } from '../failures/delivery.ts';
import { type Scenario, scenarioOf } from '../failures/scenario.ts';
import { BAD_GATEWAY, type HttpAnswer } from '../http-answer.ts';
import { refusal } from '../refusal.ts';
import type { Admitted } from './admission.ts';
import { messageOf } from './error-messages.ts';

type Register = (admitted: Admitted, now: Date) => HttpAnswer;

const BUSY_TIMES = 2;

/** Sends a document through the registration or around it, as its number asks. */
export function createScenarioPlayer(register: Register): (admitted: Admitted, now: Date) => Delivery {
  const timesBusy = new Map<string, number>();
  const unanswered = new Set<string>();

  const refuseWhileBusy = (key: string) => {
    const times = timesBusy.get(key) ?? 0;
    timesBusy.set(key, times + 1);
    if (times < BUSY_TIMES) throw refusal('E4007', messageOf('E4007'));
  };
  /** Only the first registration under a number goes unanswered: whoever asks again learns what happened. */
  const mannerOf = ({ kind }: Scenario, key: string): Delivery['manner'] => {
    if (kind === 'slow') return 'late';
    if ((kind !== 'lost-answer' && kind !== 'timeout-after') || unanswered.has(key)) return 'at once';
    unanswered.add(key);
    return kind === 'lost-answer' ? 'cut' : 'never';
  };

  return (admitted, now) => {
    const scenario = scenarioOf(admitted.docNumber);
    const key = `${admitted.caller.edb} ${String(admitted.docNumber)}`;
    if (scenario.kind === 'reject') throw refusal(scenario.code, messageOf(scenario.code));
    if (scenario.kind === 'timeout') return { answer: BAD_GATEWAY, manner: 'never' };
    if (scenario.kind === '502-html') return atOnce(BAD_GATEWAY);
    if (scenario.kind === 'busy') refuseWhileBusy(key);
    const answer = register(admitted, now);
    return { answer, manner: mannerOf(scenario, key) };
  };
}
