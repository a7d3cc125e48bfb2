import type { Logger } from 'pino';
import { createDamageAlarm } from '../../../src/adapters/platform/damage-alarm.ts';
import type { Engine } from '../../../src/adapters/sql/engine.ts';
import { isBusy } from '../../../src/adapters/sql/sqlite/failure.ts';
import { createStorage } from '../../../src/adapters/sql/storage.ts';
import type { Exchange } from '../../../src/adapters/ujp/gateway/authority-http.ts';
import { createApi } from '../../../src/app/api.ts';
import { openAuditTrail } from '../../../src/app/audit-trail.ts';
import { openAuthority } from '../../../src/app/authority.ts';
import { startBackground } from '../../../src/app/background.ts';
import { openClockWatch } from '../../../src/app/clock-watch.ts';
import { openScanFirst } from '../../../src/app/document-reader.ts';
import type { Foundation } from '../../../src/app/foundation.ts';
import { openHoldWatch } from '../../../src/app/jobs/hold-watch.ts';
import { createOperator, type OperatorActions } from '../../../src/app/operator.ts';
import type { Clock, Platform } from '../../../src/application/ports/platform.ts';
import type { Chance } from '../world/chance.ts';
import type { RunStatement } from '../world/database.ts';
import type { ArmedFaults, Fault } from '../world/fault-plan.ts';
import type { HistoryDatabase } from '../world/history-database.ts';
import { isSend } from '../world/network.ts';
import type { Template } from '../world/template.ts';
import type { Trace } from '../world/trace.ts';
import type { VirtualTime } from '../world/virtual-time.ts';
import type { Call, Front, Reply } from './front.ts';
import { createFaultyClock, createLife, type FaultyClock, type Life, replicaPlatform } from './replica-platform.ts';

/** One process of the service, over all its lives. */
export type Replica = {
  readonly index: number;
  readonly name: string;
  readonly clock: FaultyClock;
  /** By the clock that the service goes by. */
  readonly serviceTime: () => number;
  /** Null when the process ends before it has answered. */
  readonly call: (call: Call) => Promise<Reply | null>;
  /** Null while the process is down. */
  readonly operator: () => OperatorActions | null;
  readonly start: () => void;
  readonly crash: () => void;
  readonly pause: (ms: number) => void;
  /** Until when its process stands still. */
  readonly pausedUntil: () => number;
  readonly crashes: () => number;
};

export type ReplicaNeeds = {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly trace: Trace;
  readonly faults: ArmedFaults;
  readonly template: Template;
  readonly database: HistoryDatabase;
  readonly exchangeOf: (replica: string, life: Life) => Exchange;
  readonly front: Front;
  /** Takes the request of an audit entry that was written only to the log. */
  readonly onLoggedEntry: (requestId: string) => void;
};

/** Thrown into whatever a process was doing when it crashed; nobody is left to hear of it. */
class Crashed extends Error {
  override readonly name = 'Crashed';
}

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;

type Running = {
  readonly life: Life;
  /** Null until the database is open. */
  service: Service | null;
  breakConnections: () => void;
  readonly pending: Set<() => void>;
};

type Service = { readonly operator: OperatorActions; readonly clock: Clock };

export function createReplica(index: number, needs: ReplicaNeeds): Replica {
  const { time, trace, faults, front } = needs;
  const name = `r${index}`;
  const clock = createFaultyClock(time);
  const chance = needs.chance.of(name);
  let running: Running | null = null;
  let lives = 0;
  let crashes = 0;

  function crash(): void {
    if (running === null) return;
    const { life, breakConnections, pending } = running;
    running = null;
    crashes += 1;
    life.end();
    front.serve(null);
    breakConnections();
    for (const forget of pending) forget();
    trace.add(`${name} crashes`);
    time.stir();
  }

  /** Down for a while, then a new process on the same database. */
  function crashFor(ms: number): void {
    crash();
    time.after(ms, start);
  }

  function runStatement(life: Life): RunStatement {
    return (targets, run) => {
      if (life.isOver()) throw new Crashed();
      const fault = faults.hasStatementFaults() ? faults.statementFault(index, targets) : null;
      if (targets.includes('commit')) {
        time.stir();
        trace.add(`${name} commits`);
      }
      if (fault === null) return run();
      return strike(fault, run);
    };
  }

  function strike<Result>({ kind, ms, target }: Fault, run: () => Result): Result {
    trace.add(`${name} ${kind} at ${target}`);
    if (kind === 'busy') throw sqliteError(SQLITE_BUSY, 'database is locked');
    if (kind === 'input/output error') throw sqliteError(SQLITE_IOERR, 'disk I/O error');
    if (kind === 'crash before') {
      crashFor(ms);
      throw new Crashed();
    }
    const result = run();
    if (kind === 'unknown commit') throw sqliteError(SQLITE_IOERR, 'disk I/O error');
    if (kind === 'crash after') {
      crashFor(ms);
      throw new Crashed();
    }
    return result;
  }

  function start(): void {
    if (running !== null) return;
    lives += 1;
    trace.add(`${name} starts`);
    time.stir();
    const life = createLife(time);
    const exchange = needs.exchangeOf(name, life);
    const striking: Exchange = (request) => {
      const fault = faults.requestFault(index, isSend(request));
      if (fault?.kind === 'crash before' || life.isOver()) {
        if (fault !== null) crashFor(fault.ms);
        return new Promise(() => undefined);
      }
      const answer = exchange(request);
      if (fault?.kind === 'crash after') crashFor(fault.ms);
      if (fault?.kind === 'pause') life.pauseUntil(time.now() + fault.ms);
      return answer;
    };
    const chanceOfLife = chance.of(`life ${lives}`);
    const platform = replicaPlatform(time, life, clock, chanceOfLife);
    const started: Running = { life, service: null, breakConnections: () => undefined, pending: new Set() };
    running = started;
    const user = { index, name, time, trace, faults, life, chance: chanceOfLife, platform, crashFor };
    started.breakConnections = needs.database.open({ ...user, run: runStatement(life) }, (engine, serviceClock) => {
      const parts = { engine, clock: serviceClock, platform, life, exchange: striking };
      started.service = { operator: compose(needs, name, parts), clock: serviceClock };
    });
    // It may have crashed while it started.
    if (running !== started) started.breakConnections();
  }

  return {
    index,
    name,
    clock,
    serviceTime: () => (running?.service?.clock ?? clock).now(),
    operator: () => running?.service?.operator ?? null,
    start,
    crash,
    pause: (ms) => running?.life.pauseUntil(time.now() + ms),
    pausedUntil: () => running?.life.pausedUntil() ?? 0,
    crashes: () => crashes,
    call(call) {
      const current = running;
      if (current === null || current.service === null) return Promise.resolve(null);
      const service = current.service;
      return new Promise((resolve, reject) => {
        const forget = () => resolve(null);
        current.pending.add(forget);
        front
          .call(call)
          .then((reply) => {
            current.pending.delete(forget);
            if (!current.life.isOver())
              current.life.after(0, () => resolve({ ...reply, clockAt: service.clock.now() }));
          })
          .catch((error: unknown) => (error instanceof Crashed ? undefined : reject(error)));
      });
    },
  };
}

type Parts = {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly platform: Platform;
  readonly life: Life;
  readonly exchange: Exchange;
};

/** The real application as `src/app` composes it, with what it has from outside replaced. */
function compose({ trace, template, front, onLoggedEntry }: ReplicaNeeds, name: string, parts: Parts): OperatorActions {
  const { engine, life, exchange } = parts;
  const { config, metrics, createSigner } = template;
  const machineClock = parts.platform.clock;
  const platform = { ...parts.platform, clock: parts.clock };
  const storage = createStorage(engine, platform.random, config.environment);
  const foundation: Foundation = { ...platform, machineClock, config, engine, storage, migrated: [] };
  const log = tracingLog(trace, name, life, onLoggedEntry);
  const reader = openScanFirst(template.reader, platform.random, { log, metrics });
  const outages = { databaseFailed: (error: Error) => log.warn({ err: error }, 'the database cannot be used') };
  const onDamage = createDamageAlarm(log, metrics.storedDamage);
  const audit = openAuditTrail(foundation, log, { ...outages, onDamage });
  const connection = openAuthority(foundation, {}, { exchange, createSigner });
  const api = createApi(foundation, { reader, audit, connection, log, metrics });
  front.serve({ api, platform, log });
  const clockWatch = openClockWatch(foundation, connection, log);
  const holdWatch = openHoldWatch(foundation, log, metrics);
  startBackground({ foundation, connection, reader, log, metrics, clockWatch, onDamage, holdWatch, outages });
  return createOperator(foundation, reader, 'operator', connection);
}

function sqliteError(errcode: number, message: string): Error {
  const error = Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
  if (errcode === SQLITE_BUSY && !isBusy(error)) throw new Error('The program does not take this for a lock.');
  return error;
}

type LogFacts = { readonly err?: unknown; readonly entry?: { readonly requestId: string } };

/** Warnings and errors are part of the trace; a process that has crashed says nothing. */
function tracingLog(trace: Trace, name: string, life: Life, onLoggedEntry: ReplicaNeeds['onLoggedEntry']): Logger {
  const write =
    (level: string) =>
    (facts: string | LogFacts, text = '') => {
      if (life.isOver()) return;
      if (typeof facts !== 'string' && facts.entry !== undefined) onLoggedEntry(facts.entry.requestId);
      const { err, ...rest } = typeof facts === 'string' ? { err: facts } : facts;
      trace.add(`${name} ${level} ${text} ${JSON.stringify(rest)} ${err instanceof Error ? err.message : (err ?? '')}`);
    };
  return {
    info: () => undefined,
    debug: () => undefined,
    warn: write('warns'),
    error: write('fails'),
  } as unknown as Logger;
}
