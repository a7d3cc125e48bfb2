import type { Model } from '../clients/model.ts';
import type { Replica } from '../replica/replica.ts';
import type { SimulatedAuthority } from './authority.ts';
import type { ArmedFaults, Fault } from './fault-plan.ts';
import type { HistoryDatabase } from './history-database.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Everything of a history but its clients. */
export type World = {
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly faults: ArmedFaults;
  readonly model: Model;
  readonly authority: SimulatedAuthority;
  readonly replicas: readonly Replica[];
  readonly database: HistoryDatabase;
};

/** What a fault changes at once; the others wait for the request, call or statement that they strike. */
export function applyFault(world: World, fault: Fault): void {
  const { time, faults, authority, replicas, database, model } = world;
  const { kind, ms } = fault;
  const replica = replicas[fault.replica];
  if (fault.target !== null) faults.arm(fault);
  else if (kind === 'pause') replica?.pause(ms);
  else if (kind === 'clock offset') replica?.clock.setOffset(ms);
  else if (kind === 'clock stands still') {
    replica?.clock.standStill();
    time.after(ms, () => replica?.clock.goOn());
  } else if (kind === 'authority clock') {
    authority.setOffset(ms);
    model.authorityAheadMs = Math.max(model.authorityAheadMs, ms);
  } else if (kind === 'database clock') database.server?.setOffset(ms);
  else if (kind === 'database restart') database.server?.restart(time, ms);
  else if (kind === 'list lag') authority.setListLag(ms);
  else if (kind === 'unreadable arrivals') authority.serveUnreadableUntil(time.now() + ms);
  else faults.arm(fault);
}

/** Every fault is over: clocks are right, processes run, nothing is lost any more. */
export function heal({ faults, authority, replicas, database }: World): void {
  faults.disarmAll();
  database.server?.heal();
  authority.setOffset(0);
  authority.setListLag(0);
  authority.serveUnreadableUntil(0);
  for (const replica of replicas) {
    replica.clock.goOn();
    replica.clock.setOffset(0);
    replica.start();
  }
}
