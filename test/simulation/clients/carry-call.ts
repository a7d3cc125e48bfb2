import type { Call, Reply } from '../replica/front.ts';
import type { Replica } from '../replica/replica.ts';
import type { Chance } from '../world/chance.ts';
import type { ArmedFaults } from '../world/fault-plan.ts';
import type { Taxpayer } from '../world/taxpayers.ts';
import type { Trace } from '../world/trace.ts';
import type { VirtualTime } from '../world/virtual-time.ts';
import type { MadeCall, Model, Submission, Way } from './model.ts';

export type ClientNeeds = {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly trace: Trace;
  readonly faults: ArmedFaults;
  readonly model: Model;
  readonly replicas: readonly Replica[];
  /** Whether some send many documents at the same moment: with a server those share transactions of the program. */
  readonly sendTogether: boolean;
};

export const ROOT = '/api/integration/v1';
const LEAST_MS = 1;
const MOST_MS = 200;
const PATIENCE_MS = 60_000;

/** To which replica a call goes, and how long it takes to get there. */
export function drawWay({ chance, replicas }: Pick<ClientNeeds, 'chance' | 'replicas'>): Way {
  return { replica: chance.pick(replicas), ms: chance.span(LEAST_MS, MOST_MS) };
}

/** Takes a call to some replica and its answer back, and loses one or the other as the plan says. */
export function carryCall(
  needs: ClientNeeds,
  taxpayer: Taxpayer,
  call: Call,
  submission: Submission | null,
): Promise<Reply | null> {
  const { time, chance, trace, faults, model, replicas } = needs;
  const replica = submission?.way?.replica ?? chance.pick(replicas);
  const what = `${taxpayer.name} → ${replica.name} ${call.method} ${call.path.slice(ROOT.length)} ${call.headers['x-idempotency-key'] ?? ''}`;
  const fault = faults.callFault();
  const made: MadeCall = { taxpayer, call, replica: replica.name, at: time.now(), reply: null };
  return new Promise((resolve) => {
    let isOver = false;
    function end(reply: Reply | null, note: string): void {
      if (isOver) return;
      isOver = true;
      time.stir();
      trace.add(`${what}: ${note}`);
      resolve(reply);
    }
    time.after(PATIENCE_MS, () => end(null, 'no answer'));
    if (fault?.kind === 'lost call') return;
    model.callsUnderWay += 1;
    time.after(
      (submission?.way?.ms ?? chance.span(LEAST_MS, MOST_MS)) + (fault?.kind === 'late call' ? fault.ms : 0),
      () => {
        time.stir();
        model.calls.push(made);
        // The service reads its clock at some moment of the call, and the clock may be set meanwhile.
        const noteClock = () => void submission?.clocks.push(replica.serviceTime());
        const endNotes = replica.clock.onSet(noteClock);
        noteClock();
        void replica.call(call).then((reply) => {
          noteClock();
          endNotes();
          made.reply = reply;
          model.callsUnderWay -= 1;
          if (reply !== null && fault?.kind === 'lost reply') trace.add(`${what}: ${reply.status}, lost`);
          else
            time.after(chance.span(LEAST_MS, MOST_MS), () => end(reply, reply === null ? 'cut' : String(reply.status)));
        });
      },
    );
  });
}
