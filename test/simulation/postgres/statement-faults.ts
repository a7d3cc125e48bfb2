import type { Fault, StatementFaultKind } from '../world/fault-plan.ts';
import type { Issued } from './connection.ts';
import type { Statement } from './session.ts';
import { failingWith } from './statement.ts';

export type Struck = {
  readonly issued: Issued;
  /** Sends a statement to the server; where a function is given, it takes the place of the answer. */
  readonly send: (statement: Statement, after?: () => void) => void;
  readonly cut: (reason: Error) => void;
  /** Whatever was not sent yet is not sent any more. */
  readonly forget: () => void;
  readonly crashFor: (ms: number) => void;
};

const SERIALISATION_FAILURE = '40001';
const DISK_FULL = '53100';

/** What the fault makes of the statement that it strikes. */
export function applyStatementFault(fault: Fault<StatementFaultKind>, struck: Struck): void {
  const { issued, send, cut, forget, crashFor } = struck;
  const terminated = new Error('Connection terminated unexpectedly');
  const effects: Readonly<Record<StatementFaultKind, () => void>> = {
    busy: () => send(failingWith(SERIALISATION_FAILURE)),
    'input/output error': () => send(failingWith(DISK_FULL)),
    'unknown commit': () => send(issued.statement, () => cut(terminated)),
    'cut after': () => send(issued.statement, () => cut(terminated)),
    'cut before': () => cut(terminated),
    'cut during'() {
      send(issued.statement);
      cut(terminated);
    },
    'crash before'() {
      forget();
      crashFor(fault.ms);
    },
    'crash after': () => send(issued.statement, () => crashFor(fault.ms)),
  };
  effects[fault.kind]();
}
