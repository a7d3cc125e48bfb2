import { scenarioOf } from '../failures/scenario.ts';
import type { RegisteredDocument, StatusChange } from './registered-document.ts';
import type { State } from './state.ts';

export type DecisionPeriods = {
  /** How long a buyer may stay silent before the document counts as accepted. */
  readonly autoAcceptMs: number;
  /** How long the buyer of a scenario thinks. */
  readonly buyerDecisionMs: number;
};

export type DueDecisions = {
  readonly expect: (document: RegisteredDocument) => void;
  /** Lets everything happen that was to happen by now. */
  readonly settle: (now: number) => void;
};

type Queue = { readonly waiting: { readonly euid: string; readonly dueAt: number }[]; next: number };
type Decision = Omit<StatusChange, 'euid' | 'from' | 'at'>;

const EXPIRED: Decision = { to: '04', userId: null, comment: 'Document auto accept after expiration date' };
const ACCEPTED: Decision = { to: '03', userId: 'SIM-BUYER', comment: null };
const REJECTED: Decision = {
  to: '05',
  userId: 'SIM-BUYER',
  comment: 'Одбиено по сценарио на симулаторот',
  rejectReasonCode: 'O-2',
  rejectReason: 'Грешка во нарачка (количина, цена, опис на промет и друго)',
};

/**
 * What happens to documents by itself. Nothing is left to timers: a decision is made when somebody could first notice
 * it and is dated when it was due, so that a restart or a clock moved by a test changes nothing.
 */
export function createDueDecisions(state: State, { autoAcceptMs, buyerDecisionMs }: DecisionPeriods): DueDecisions {
  // Every wait in a queue is equally long, so whoever came first is due first.
  const buyers: Queue = { waiting: [], next: 0 };
  const expiries: Queue = { waiting: [], next: 0 };

  const expect = ({ euid, status, docNumber, registeredAt }: RegisteredDocument) => {
    if (status !== '01') return;
    const { kind } = scenarioOf(docNumber);
    const decides = kind === 'buyer-accepts' || kind === 'buyer-rejects';
    if (decides) buyers.waiting.push({ euid, dueAt: registeredAt + buyerDecisionMs });
    else expiries.waiting.push({ euid, dueAt: registeredAt + autoAcceptMs });
  };
  const decide = (euid: string, at: number) => {
    const document = state.documents.find(euid);
    if (document?.status !== '01') return;
    state.record({ kind: 'status', change: { euid, from: '01', at, ...decisionOn(document) } });
  };
  const settleQueue = (queue: Queue, now: number) => {
    for (let due = queue.waiting[queue.next]; due !== undefined && due.dueAt <= now; due = queue.waiting[queue.next]) {
      queue.next += 1;
      decide(due.euid, due.dueAt);
    }
  };

  for (const document of [...state.documents.all()].toSorted((a, b) => a.registeredAt - b.registeredAt)) {
    expect(document);
  }
  return {
    expect,
    settle: (now) => {
      settleQueue(buyers, now);
      settleQueue(expiries, now);
    },
  };
}

function decisionOn({ docNumber }: RegisteredDocument): Decision {
  const { kind } = scenarioOf(docNumber);
  if (kind === 'buyer-accepts') return ACCEPTED;
  return kind === 'buyer-rejects' ? REJECTED : EXPIRED;
}
