import { scenarioOf } from '../faults/scenario.ts';
import type { RegisteredDocument, StatusChange } from './registered-document.ts';
import type { State } from './state.ts';

export type DecisionPeriods = {
  /** Time after which a document counts as accepted if the buyer has not decided. */
  readonly autoAcceptMs: number;
  /** Time after which the buyer of a scenario decides. */
  readonly buyerDecisionMs: number;
};

export type DueDecisions = {
  readonly schedule: (document: RegisteredDocument) => void;
  /** Makes all decisions that are due by now. */
  readonly applyDue: (now: number) => void;
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
 * Decisions that come without a request: those of a scenario's buyer, and automatic acceptance. There are no timers: a
 * due decision is made before the next request is answered and dated when it was due, so a restart changes nothing.
 */
export function createDueDecisions(state: State, { autoAcceptMs, buyerDecisionMs }: DecisionPeriods): DueDecisions {
  // All waits in a queue have the same length, so documents are due in the order in which they were added.
  const buyers: Queue = { waiting: [], next: 0 };
  const expiries: Queue = { waiting: [], next: 0 };

  const schedule = ({ euid, status, docNumber, registeredAt }: RegisteredDocument) => {
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
  const applyQueue = (queue: Queue, now: number) => {
    for (let due = queue.waiting[queue.next]; due !== undefined && due.dueAt <= now; due = queue.waiting[queue.next]) {
      queue.next += 1;
      decide(due.euid, due.dueAt);
    }
  };

  for (const document of [...state.documents.all()].toSorted((a, b) => a.registeredAt - b.registeredAt)) {
    schedule(document);
  }
  return {
    schedule,
    applyDue: (now) => {
      applyQueue(buyers, now);
      applyQueue(expiries, now);
    },
  };
}

function decisionOn({ docNumber }: RegisteredDocument): Decision {
  const { kind } = scenarioOf(docNumber);
  if (kind === 'buyer-accepts') return ACCEPTED;
  return kind === 'buyer-rejects' ? REJECTED : EXPIRED;
}
