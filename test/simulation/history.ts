import { type Clients, createClients } from './clients/clients.ts';
import { createModel, type Model, type Violation } from './clients/model.ts';
import { giveCommand } from './clients/operator-commands.ts';
import { stepInvariants } from './promises/at-every-step.ts';
import { checkFinally } from './promises/at-the-end.ts';
import { checkAttempts } from './promises/attempts.ts';
import { checkAudit } from './promises/audit-entries.ts';
import { believedAbsence } from './promises/believed-absence.ts';
import {
  AFTER_THE_LAST_PAUSE_MS,
  afterPaceMs,
  OPEN_DOCUMENT,
  OPEN_VOID,
  openWork,
  timeToEndMs,
} from './promises/open-work.ts';
import { checkPages } from './promises/pages.ts';
import { tracesOfClocks } from './promises/traces-of-clocks.ts';
import { createReplica } from './replica/replica.ts';
import { createSimulatedAuthority } from './world/authority.ts';
import { type Chance, chanceOf } from './world/chance.ts';
import { createArmedFaults, describeFault, drawFaultPlan, type FaultPlan, type Period } from './world/fault-plan.ts';
import type { HistoryDatabase } from './world/history-database.ts';
import { createNetwork } from './world/network.ts';
import { applyFault, heal, type World } from './world/state-faults.ts';
import { HISTORY_START, MOST_REPLICAS, type Template } from './world/template.ts';
import { createTrace } from './world/trace.ts';
import { createVirtualTime } from './world/virtual-time.ts';

export type History = {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly plan: FaultPlan;
  readonly digest: string;
  readonly trace: readonly string[];
  readonly events: number;
  readonly crashes: number;
  readonly documents: number;
  readonly registrations: number;
};

export type HistoryOptions = {
  /** Instead of the plan that the seed gives: to shrink it. */
  readonly plan?: FaultPlan;
  readonly keepsTrace?: boolean;
};

const MINUTE = 60_000;
/** Longer than audit entries wait in the memory of a process. */
const LAST_WRITES_MS = 60_000;
/** For what clients and operator had asked of a process before it stood still. */
const ASKED_BEFORE_MS = 30_000;
/** How often in a row a request may arrive too soon after the one before it, when everything else has ended. */
const MOST_FOR_PACE = 5;
const MOST_FOR_PAGES_MS = 10 * MINUTE;

/** One history: what clients, operator, authority and faults of one seed do to the service, and whether its promises held. */
export async function runHistory(
  template: Template,
  seed: number,
  { plan: givenPlan, keepsTrace = false }: HistoryOptions = {},
): Promise<History> {
  const chance = chanceOf(`history ${seed}`);
  const database = await template.createDatabase(chance.of('database'));
  const world = createWorld(template, chance, database, keepsTrace);
  const { time, trace, model, authority, replicas } = world;
  const activeMs = chance.of('length').span(3 * MINUTE, 80 * MINUTE);
  const moments = chance.of('moments');
  const bursts = Array.from({ length: moments.whole(1, 6) }, () => moments.whole(0, activeMs));
  const period = { durationMs: activeMs, bursts };
  const plan = givenPlan ?? drawFaultPlan(chance.of('faults'), replicas.length, period, database.server !== null);
  try {
    for (const replica of replicas) replica.start();
    for (const fault of plan) {
      time.after(fault.at, () => {
        trace.add(`fault: ${describeFault(fault)}`);
        applyFault(world, fault);
      });
    }
    scheduleClients(world, moments, period);
    const { committed } = database;
    const check = await stepInvariants({ committed, authority, model });
    const checkClocks = await tracesOfClocks({ ...world, committed });
    const checkAbsence = await believedAbsence({ committed, authority, model });
    let seen = -1;
    const isBroken = () => {
      checkClocks();
      checkAbsence();
      if (time.stirs() !== seen) check();
      seen = time.stirs();
      return model.violations.length > 0;
    };
    await time.runUntil(HISTORY_START + activeMs, isBroken);
    if (model.violations.length === 0) await endWell(world, plan, isBroken);
  } finally {
    for (const replica of replicas) replica.crash();
    await database.close();
  }
  return {
    seed,
    violations: model.violations,
    plan,
    digest: trace.digest(),
    trace: trace.lines(),
    events: time.eventCount(),
    crashes: replicas.reduce((sum, replica) => sum + replica.crashes() - 1, 0),
    documents: model.submissions.filter(({ answered }) => answered.size > 0).length,
    registrations: authority.registered().length,
  };
}

type Inhabited = World & { readonly clients: Clients };

function createWorld(template: Template, chance: Chance, database: HistoryDatabase, keepsTrace: boolean): Inhabited {
  const time = createVirtualTime(HISTORY_START, chance.of('order'), database.pace);
  const trace = createTrace(time, keepsTrace);
  const faults = createArmedFaults();
  const model = createModel();
  const authority = createSimulatedAuthority(time, chance.of('authority'), template.certificatePem);
  const exchangeOf = createNetwork({
    time,
    chance: chance.of('network'),
    authority,
    faults,
    trace,
    onRegistrationTold: (replica, euid) => void model.toldRegistrations.push({ replica, euid }),
  });
  const onLoggedEntry = (requestId: string) => void model.loggedEntries.add(requestId);
  const count = chance.of('replicas').whole(1, MOST_REPLICAS);
  const replicas = template.fronts
    .slice(0, count)
    .map((front, index) =>
      createReplica(index, { time, chance, trace, faults, template, database, exchangeOf, front, onLoggedEntry }),
    );
  const clients = createClients({
    time,
    chance: chance.of('clients'),
    trace,
    faults,
    model,
    replicas,
    sendTogether: database.server !== null,
  });
  return { time, trace, faults, model, authority, replicas, clients, database };
}

/** Clients come in bursts, with pauses in between in which only the service itself works. */
function scheduleClients(world: Inhabited, chance: Chance, { durationMs, bursts }: Period): void {
  const { time, clients, model, trace, replicas } = world;
  const act = () => {
    clients.act().catch((error: unknown) => model.violate('clients understand every answer', String(error)));
  };
  for (let left = chance.whole(6, 30); left > 0; left -= 1) {
    time.after(Math.min(durationMs, chance.pick(bursts) + chance.span(1, MINUTE)), act);
  }
  const commands = chance.of('operator');
  for (let left = commands.whole(0, 8); left > 0; left -= 1) {
    time.after(commands.whole(0, durationMs), () => giveCommand({ chance: commands, trace, model, replicas }));
  }
}

/** All faults end; then everything must come to its end in its time, and every account must agree. */
async function endWell(world: Inhabited, plan: FaultPlan, isBroken: () => boolean): Promise<void> {
  const { time, trace, model, authority, replicas, clients, database } = world;
  heal(world);
  trace.add('all faults are over');
  const runsAgainAt = Math.max(time.now(), ...replicas.map((replica) => replica.pausedUntil()));
  const deadline = runsAgainAt + (await timeToEndMs(database.committed, plan));
  const open = await openWork(database.committed, authority);
  const hasFinished = inBackground(model, clients.finish());
  const isAwake = () => time.now() >= runsAgainAt + ASKED_BEFORE_MS;
  const isOver = () => isBroken() || (isAwake() && hasFinished() && clients.busy() === 0 && open().length === 0);
  await time.runUntil(deadline, isOver);
  for (let more = MOST_FOR_PACE; more > 0 && !isOver(); more -= 1) {
    const until = await afterPaceMs(database.committed);
    if (until === null) break;
    await time.runUntil(until, isOver);
  }
  // The last document may have been registered at the last moment: whoever it is for collects it, and its status is asked for.
  const hasDocumentsOpen = () => open().some((what) => what.startsWith(OPEN_DOCUMENT) || what.startsWith(OPEN_VOID));
  if (!isOver() && !hasDocumentsOpen()) await time.runUntil(time.now() + AFTER_THE_LAST_PAUSE_MS, isOver);
  if (model.violations.length > 0) return;
  for (const what of open()) model.violate('everything ends in its time', what);
  trace.add('everything has ended');
  const isWalked = inBackground(model, checkPages(clients, database.committed, model));
  await time.runUntil(time.now() + MOST_FOR_PAGES_MS, isWalked);
  await time.runUntil(Math.max(time.now(), runsAgainAt) + LAST_WRITES_MS);
  const engine = database.openForChecks();
  try {
    await checkFinally({ engine, authority, model });
    await checkAttempts({ engine, authority, model, replicas, plan });
    await checkAudit({ engine, model, replicas, plan });
  } finally {
    await engine.close();
  }
}

/** Work of clients goes on while time does. Returns whether it has ended. */
function inBackground(model: Model, work: Promise<void>): () => boolean {
  let hasEnded = false;
  work
    .catch((error: unknown) => model.violate('clients understand every answer', String(error)))
    .finally(() => {
      hasEnded = true;
    });
  return () => hasEnded;
}
