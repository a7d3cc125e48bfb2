import type { PlannedResponse } from '../../../simulator/faults/planned-response.ts';
import type { HttpAnswer } from '../../../src/adapters/ujp/answers/exchange.ts';
import { type Exchange, type HttpRequest, hostAndPath } from '../../../src/adapters/ujp/gateway/authority-http.ts';
import { transportError } from '../../../src/adapters/ujp/gateway/transport-error.ts';
import type { Life } from '../replica/replica-platform.ts';
import type { SimulatedAuthority } from './authority.ts';
import type { Chance } from './chance.ts';
import type { ArmedFaults, Fault, MessageFaultKind } from './fault-plan.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';

export type NetworkNeeds = {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly authority: SimulatedAuthority;
  readonly faults: ArmedFaults;
  readonly trace: Trace;
  /** A process has got the answer that a document of it is registered. */
  readonly onRegistrationTold: (replica: string, euid: string) => void;
};

/** The usual time for one way, in milliseconds. */
const LEAST_MS = 5;
const MOST_MS = 400;
/** Once the faults are over: the authority counts the distance of two requests as they arrive, and refuses what comes too soon. */
const MOST_HEALED_MS = 15;
const SLOW_MS = 4_000;
const SECOND_COPY_MS = 2_000;

/** What the authority answered, and the EUID of what it registered by it. */
type Arrived = { readonly planned: PlannedResponse; readonly euid: string | null };

/** One request on its way, as long as its sender waits for it. */
type Message = {
  readonly name: string;
  readonly fault: Fault<MessageFaultKind> | null;
  readonly life: Life;
  readonly answer: (arrived: Arrived) => void;
  readonly fail: (mayHaveBeenSent: boolean, timeoutMs: number | null, cause: string) => void;
};

/** Carries requests from replicas to the authority, and loses, delays, doubles and cuts them as the plan says. */
export function createNetwork(needs: NetworkNeeds): (replica: string, life: Life) => Exchange {
  const { time, chance, authority, faults, trace } = needs;
  let messages = 0;
  const oneWay = () => chance.span(LEAST_MS, faults.areOver() ? MOST_HEALED_MS : MOST_MS);

  function arrive(name: string, request: HttpRequest): Arrived {
    const before = authority.registrations();
    const planned = authority.answer(request);
    const euid = authority.registrations() > before ? (authority.registered().at(-1)?.euid ?? null) : null;
    trace.add(`${name} arrives at the authority: ${planned.answer.status} ${planned.timing}`);
    time.stir();
    return { planned, euid };
  }

  function comeBack({ fault, life, answer, fail }: Message, arrival: Arrived, arrived: () => void): void {
    const { timing } = arrival.planned;
    if (timing === 'never' || fault?.kind === 'lost answer') return;
    const lateMs = (timing === 'delayed' ? SLOW_MS : 0) + (fault?.kind === 'late answer' ? fault.ms : 0);
    life.after(oneWay() + lateMs, () => {
      arrived();
      if (timing === 'disconnect' || fault?.kind === 'cut answer') fail(true, null, 'read ECONNRESET');
      else answer(arrival);
    });
  }

  function leave(message: Message, request: HttpRequest): void {
    const { name, fault, life, fail } = message;
    if (fault?.kind === 'no connection') {
      life.after(oneWay(), () => fail(false, null, 'connect ECONNREFUSED'));
      return;
    }
    const patience = life.after(request.timeoutMs, () => fail(true, request.timeoutMs, 'time is over'));
    if (fault?.kind === 'lost request') return;
    const lateMs = fault?.kind === 'late request' ? fault.ms : 0;
    const stepsBack = authority.stepsBack();
    // What has left is on its way, whatever becomes of its sender.
    time.after(oneWay() + lateMs, () => {
      // By a clock that was set back, a request may be carried out after the time at which it was too old.
      if (lateMs > 0 && authority.stepsBack() !== stepsBack) return;
      const arrival = arrive(name, request);
      comeBack(message, arrival, patience.cancel);
      // A copy of what was refused is refused as well: a no to one that holds for no other would be no answer at all.
      if (fault?.kind !== 'doubled request' || arrival.planned.answer.status !== 200) return;
      time.after(chance.span(LEAST_MS, SECOND_COPY_MS) + fault.ms, () => {
        if (authority.stepsBack() === stepsBack) arrive(`${name} once more`, request);
      });
    });
  }

  return (replica, life) => (request) =>
    new Promise((resolve, reject) => {
      messages += 1;
      const name = `m${messages}`;
      const fault = faults.messageFault(isSend(request) ? 'send' : 'query');
      time.stir();
      trace.add(`${name} leaves ${replica}: ${shortPath(request.url)}${fault === null ? '' : `, ${fault.kind}`}`);
      let isWaiting = true;
      const message: Message = {
        name,
        fault,
        life,
        answer({ planned, euid }) {
          time.stir();
          if (euid !== null && isWaiting) needs.onRegistrationTold(replica, euid);
          resolve(answerOf(planned));
        },
        fail(mayHaveBeenSent, timeoutMs, cause) {
          isWaiting = false;
          time.stir();
          trace.add(`${name} fails at ${replica}: ${cause}`);
          reject(transportError(hostAndPath(request.url), { mayHaveBeenSent }, timeoutMs, new Error(cause)));
        },
      };
      leave(message, request);
    });
}

export function isSend({ url }: Pick<HttpRequest, 'url'>): boolean {
  return url.pathname.endsWith('/send');
}

/** What arrives of an answer. */
export function answerOf({ answer: { status, contentType, body } }: PlannedResponse): HttpAnswer {
  return { status, contentType, bytes: typeof body === 'string' ? Buffer.from(body) : body };
}

function shortPath({ pathname }: URL): string {
  return pathname.split('/api/v1/')[1] ?? pathname;
}
