import type { Chance } from './chance.ts';

const MESSAGE_FAULTS = [
  'no connection',
  'lost request',
  'lost answer',
  'cut answer',
  'late request',
  'late answer',
  'doubled request',
] as const;
const CALL_FAULTS = ['lost call', 'lost reply', 'late call'] as const;
const STATEMENT_FAULTS = ['crash before', 'crash after', 'busy', 'input/output error', 'unknown commit'] as const;
/** Of a connection to a database server, around one statement. */
const CUTS = ['cut before', 'cut during', 'cut after'] as const;
const STATES = [
  'pause',
  'clock offset',
  'clock stands still',
  'authority clock',
  'list lag',
  'unreadable arrivals',
] as const;
/** The state of a process, which may also begin with a request that it sends. */
const PAUSE = 'pause';
const SERVER_STATES = ['database clock', 'database restart'] as const;
const EVERYWHERE = [...MESSAGE_FAULTS, ...CALL_FAULTS, ...STATEMENT_FAULTS, ...STATES];

export type MessageFaultKind = (typeof MESSAGE_FAULTS)[number];
export type CallFaultKind = (typeof CALL_FAULTS)[number];
export type StatementFaultKind = (typeof STATEMENT_FAULTS)[number] | (typeof CUTS)[number];
export type RequestFaultKind = 'crash before' | 'crash after' | typeof PAUSE;
export type StateFaultKind = (typeof STATES)[number];

/** Where a fault strikes: a request to the authority, a call of a client, a statement, a commit of something written, or at once. */
export type Target = 'send' | 'query' | 'call' | 'statement' | 'read' | 'write' | 'commit' | 'request' | null;

/** From its moment on, a fault waits for its target, lets `skip` of them pass and strikes the next one. */
export type Fault<Kind extends string = string> = {
  /** Milliseconds after the beginning of the history. */
  readonly at: number;
  readonly kind: Kind;
  readonly replica: number;
  readonly target: Target;
  readonly skip: number;
  /** How long, or by how much. */
  readonly ms: number;
};

export type FaultPlan = readonly Fault[];

const MOST_FAULTS = 30;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Less than what the configured outcome window leaves beside the five minutes for which a request is valid. */
const MOST_LAG = 20 * SECOND;
/** How often a fault comes with the clients, and how soon after them: elsewhere most faults meet a service that has nothing to do. */
const WITH_CLIENTS = 0.6;
const AFTER_CLIENTS = 10 * MINUTE;
/** How often a clock that is wrong is wrong by a whole hour, as one is that was set by another zone. */
const WHOLE_HOURS = 0.3;

export type Period = {
  readonly durationMs: number;
  /** When clients come, in milliseconds after the beginning. */
  readonly bursts: readonly number[];
};

/**
 * Which kinds of faults a history has is decided first: with all of them in each, one would hide another, and few histories would
 * get as far as to a registered document.
 */
export function drawFaultPlan(chance: Chance, replicas: number, period: Period, hasServer = false): FaultPlan {
  const possible = hasServer ? [...EVERYWHERE, ...CUTS, ...SERVER_STATES] : EVERYWHERE;
  const kinds = possible.filter(() => chance.happens(0.4));
  if (kinds.length === 0) return [];
  const count = chance.whole(0, MOST_FAULTS);
  return Array.from({ length: count }, () => draw(chance, chance.pick(kinds), replicas, period)).sort(
    (one, other) => one.at - other.at,
  );
}

function draw(chance: Chance, kind: string, replicas: number, { durationMs, bursts }: Period): Fault {
  const withClients = chance.pick(bursts) + chance.span(SECOND, AFTER_CLIENTS);
  return {
    at: chance.happens(WITH_CLIENTS) ? Math.min(durationMs, withClients) : chance.whole(0, durationMs),
    kind,
    replica: chance.whole(0, replicas - 1),
    target: targetOf(chance, kind),
    skip: chance.happens(0.5) ? 0 : chance.whole(0, 12),
    ms: extentOf(chance, kind),
  };
}

function targetOf(chance: Chance, kind: string): Target {
  if (isOne(MESSAGE_FAULTS, kind)) return chance.happens(0.6) ? 'send' : 'query';
  if (isOne(CALL_FAULTS, kind)) return 'call';
  if (kind === 'unknown commit') return 'commit';
  if (kind === PAUSE) return chance.pick([null, 'request', 'send', 'send']);
  if (kind.startsWith('crash'))
    return chance.pick(['statement', 'read', 'write', 'write', 'commit', 'request', 'send']);
  if (isOne(CUTS, kind)) return chance.pick(['statement', 'read', 'write', 'commit', 'commit']);
  if (isOne(STATEMENT_FAULTS, kind)) return chance.pick(['statement', 'read', 'read', 'write', 'commit']);
  return null;
}

function extentOf(chance: Chance, kind: string): number {
  if (kind === 'clock offset' || kind === 'authority clock' || kind === 'database clock')
    return (chance.happens(WHOLE_HOURS) ? HOUR : chance.span(SECOND, HOUR)) * (chance.happens(0.5) ? 1 : -1);
  if (kind === 'clock stands still') return chance.span(10 * SECOND, 30 * MINUTE);
  if (kind === 'list lag') return chance.span(SECOND, MOST_LAG);
  if (kind === 'database restart') return chance.span(SECOND, 2 * MINUTE);
  if (kind === PAUSE) return chance.span(SECOND, 10 * MINUTE);
  if (kind.startsWith('crash')) return chance.span(SECOND, 5 * MINUTE);
  // Longer than the patience of its sender, and mostly shorter than the five minutes for which the authority takes it.
  if (kind === 'late request') return chance.span(20 * SECOND, 6 * MINUTE);
  return chance.span(SECOND, 8 * MINUTE);
}

function isOne(kinds: readonly string[], kind: string): boolean {
  return kinds.includes(kind);
}

/** The faults whose moment has come and that have not struck yet. */
export type ArmedFaults = {
  readonly arm: (fault: Fault) => void;
  readonly disarmAll: () => void;
  readonly areOver: () => boolean;
  readonly messageFault: (target: 'send' | 'query') => Fault<MessageFaultKind> | null;
  readonly callFault: () => Fault<CallFaultKind> | null;
  /** For a statement, a read or a write counts as well, and a commit of something written. */
  readonly statementFault: (replica: number, targets: readonly Target[]) => Fault<StatementFaultKind> | null;
  /** When a process sends a request: it may crash or stand still. */
  readonly requestFault: (replica: number, isSend: boolean) => Fault<RequestFaultKind> | null;
  readonly hasStatementFaults: () => boolean;
};

export function createArmedFaults(): ArmedFaults {
  let armed: { readonly fault: Fault; left: number }[] = [];
  let areOver = false;

  function strike(matches: (fault: Fault) => boolean): Fault | null {
    let struck: Fault | null = null;
    for (const one of armed) {
      if (!matches(one.fault)) continue;
      if (one.left > 0) one.left -= 1;
      else struck ??= one.fault;
    }
    if (struck !== null) armed = armed.filter(({ fault }) => fault !== struck);
    return struck;
  }

  const ofStatements = (fault: Fault) => isOne(STATEMENT_FAULTS, fault.kind) || isOne(CUTS, fault.kind);
  return {
    arm: (fault) => void armed.push({ fault, left: fault.skip }),
    disarmAll() {
      armed = [];
      areOver = true;
    },
    areOver: () => areOver,
    messageFault: (target) =>
      strike((fault) => isOne(MESSAGE_FAULTS, fault.kind) && fault.target === target) as Fault<MessageFaultKind> | null,
    callFault: () => strike(({ target }) => target === 'call') as Fault<CallFaultKind> | null,
    statementFault: (replica, targets) =>
      strike(
        (fault) => ofStatements(fault) && fault.replica === replica && targets.includes(fault.target),
      ) as Fault<StatementFaultKind> | null,
    requestFault: (replica, isSend) =>
      strike(
        ({ kind, replica: of, target }) =>
          (kind === PAUSE || kind.startsWith('crash')) &&
          of === replica &&
          (target === 'request' || (isSend && target === 'send')),
      ) as Fault<RequestFaultKind> | null,
    hasStatementFaults: () => armed.some(({ fault }) => ofStatements(fault)),
  };
}

export function describeFault({ at, kind, replica, target, skip, ms }: Fault): string {
  const where = target === null ? '' : ` at ${target} +${skip}`;
  return `${(at / SECOND).toFixed(3)} s, replica ${replica}: ${kind}${where}, ${ms} ms`;
}
