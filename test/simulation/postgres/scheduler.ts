import pg from 'pg';
import type { Chance } from '../world/chance.ts';
import { everythingThatCanRun } from '../world/virtual-time.ts';
import { blockedForGood, deadlock, type LockWaits, readLockWaits } from './lock-waits.ts';
import type { Answer, Session, Statement } from './session.ts';

export type Run = {
  /** Called when the server has answered: within the event that sent the statement, or that freed the lock it waited for. */
  readonly onAnswer: (answer: Answer) => void;
  /** Called when the statement has to wait for a lock, the first time. */
  readonly onWait?: () => void;
};

/** Sends statements to the server, and knows for each of them when it has either been answered or waits for a lock. */
export type Scheduler = {
  readonly run: (session: Session, statement: Statement, run: Run) => void;
  /** Breaks a statement off that waits for a lock; it fails with that code. */
  readonly cancel: (session: Session, code: string, message: string) => void;
  readonly isWaiting: (session: Session) => boolean;
  /** Something else that must have ended before the next event. */
  readonly hold: (work: Promise<unknown>) => void;
  /** Resolves when every statement is answered or waits for a lock, and everything that follows from it has run. */
  readonly settle: () => Promise<void>;
};

type Sent = Run & {
  readonly session: Session;
  answer: Answer | null;
  isWaiting: boolean;
  hasWaited: boolean;
  brokenOffBy: { readonly code: string; readonly message: string } | null;
};

/** After so long without an answer the server is asked for lock waits. What it says decides, however long it takes. */
const ASK_AFTER_MS = 10;
const CANCELLED = '57014';
const ENDS = /^(?:commit|rollback)\b/u;

export function createScheduler(control: pg.Client, chance: Chance): Scheduler {
  const sent = new Map<number, Sent>();
  /** Sessions that hold locks while they are idle. */
  const inTransaction = new Set<number>();
  const works = new Set<Promise<unknown>>();
  const answered: Sent[] = [];
  let wake: () => void = () => undefined;

  function hold(work: Promise<unknown>): void {
    works.add(work);
    void work.finally(() => works.delete(work)).catch(() => undefined);
  }

  /** Locks are free after the end of a transaction, which an error is too: those who waited may run. */
  function noteAnswer(one: Sent, { text, begin = null }: Statement, answer: Answer): void {
    const { pid } = one.session;
    one.answer = answer;
    sent.delete(pid);
    answered.push(one);
    if ('error' in answer || ENDS.test(text)) inTransaction.delete(pid);
    else if (begin !== null) inTransaction.add(pid);
    if (!inTransaction.has(pid)) for (const other of sent.values()) other.isWaiting = false;
    wake();
  }

  const runs = ({ isWaiting }: Sent) => !isWaiting;

  async function askForWaits(): Promise<void> {
    const pids = [...sent.keys()];
    const first = await readLockWaits(control, pids);
    if (first.size === 0) return;
    const second = await readLockWaits(control, pids);
    // One that was broken off still waits for as long as the server takes to notice.
    const mayStay = (pid: number) => sent.get(pid)?.brokenOffBy === null;
    const same = new Map([...second].filter(([pid, { since }]) => first.get(pid)?.since === since && mayStay(pid)));
    const running = new Set([...sent].flatMap(([pid, one]) => (runs(one) ? [pid] : [])));
    const known = new Set([...sent.keys(), ...inTransaction]);
    const blocked = [...blockedForGood(same, running, known)].flatMap((pid) => sent.get(pid) ?? []);
    for (const one of blocked.toSorted(byOrdinal)) {
      one.isWaiting = true;
      if (!one.hasWaited) one.onWait?.();
      one.hasWaited = true;
    }
    breakDeadlock(same);
  }

  function breakDeadlock(waits: LockWaits): void {
    const circle = deadlock(waits)
      .flatMap((pid) => sent.get(pid) ?? [])
      .filter((one) => one.isWaiting)
      .toSorted(byOrdinal);
    if (circle.length > 0) cancel(chance.pick(circle).session, '40P01', 'deadlock detected');
  }

  function cancel(session: Session, code: string, message: string): void {
    const one = sent.get(session.pid);
    if (one === undefined) return;
    one.brokenOffBy = { code, message };
    one.isWaiting = false;
    hold(control.query('select pg_cancel_backend($1)', [session.pid]));
  }

  async function untilAtRest(): Promise<void> {
    while ([...sent.values()].some(runs) || works.size > 0) {
      const mayWait = inTransaction.size + sent.size > 1;
      // Those who waited before mostly wait again.
      const hasWaiters = [...sent.values()].some((one) => runs(one) && one.hasWaited && one.brokenOffBy === null);
      if (!mayWait || !hasWaiters) await Promise.race([...works, somethingNew(mayWait)]);
      if (mayWait && [...sent.values()].some(runs)) await askForWaits();
    }
  }

  function somethingNew(mayWait: boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = mayWait ? setTimeout(resolve, ASK_AFTER_MS) : undefined;
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** One commit may free several at once: the seed decides whose answer comes first, not the server. */
  function deliver(): void {
    const left = answered.splice(0).toSorted(byOrdinal);
    while (left.length > 0) {
      const [one] = left.splice(left.length === 1 ? 0 : chance.whole(0, left.length - 1), 1);
      if (one !== undefined) one.onAnswer(translated(one));
    }
  }

  return {
    cancel,
    hold,
    isWaiting: ({ pid }) => sent.get(pid)?.isWaiting === true,
    run(session, statement, run) {
      const one: Sent = { ...run, session, answer: null, isWaiting: false, hasWaited: false, brokenOffBy: null };
      sent.set(session.pid, one);
      void session.send(statement).then((answer) => noteAnswer(one, statement, answer));
    },
    async settle() {
      for (;;) {
        await untilAtRest();
        deliver();
        await everythingThatCanRun();
        if (works.size === 0 && answered.length === 0 && ![...sent.values()].some(runs)) return;
      }
    },
  };
}

function byOrdinal(one: Sent, other: Sent): number {
  return one.session.ordinal - other.session.ordinal;
}

/** What the server would have said by itself, had it noticed before the scheduler did. */
function translated({ answer, brokenOffBy }: Sent): Answer {
  if (answer === null) throw new Error('There is no answer.');
  if (brokenOffBy === null || 'result' in answer || (answer.error as pg.DatabaseError).code !== CANCELLED)
    return answer;
  return { error: serverError(brokenOffBy.code, brokenOffBy.message) };
}

/** An error as the server reports it. */
export function serverError(code: string, message: string, severity = 'ERROR'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, severity });
}
