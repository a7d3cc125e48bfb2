import {
  isOperatorName,
  type OperatorAccount,
  type OperatorRole,
  weakPassword,
} from '../../domain/accounts/operator-account.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { PasswordHashing } from '../ports/access.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = {
  readonly storage: Storage;
  readonly passwords: Pick<PasswordHashing, 'hash'>;
  readonly clock: Clock;
  readonly record: RecordCommand;
};

export type ManageOperators = {
  readonly add: (name: string, role: OperatorRole, password: string) => Promise<OperatorAccount>;
  readonly list: () => Promise<readonly OperatorAccount[]>;
  readonly remove: (name: string) => Promise<void>;
  readonly setPassword: (name: string, password: string) => Promise<void>;
  /** Refuses a name that none can have, before a password is asked for. */
  readonly checkName: (name: string) => void;
};

/** The accounts of people who sign in to the console. */
export function manageOperators({ storage, passwords, clock, record }: Needs): ManageOperators {
  function hash(name: string, password: string): Promise<string> {
    const weakness = weakPassword(name, password);
    if (weakness !== null) throw new OperatorError('refused', weakness);
    return passwords.hash(password);
  }

  /** The change and its audit entry, or neither. */
  function change(command: string, name: string, apply: (tx: Storage) => Promise<boolean>): Promise<void> {
    return storage.transaction(async (tx) => {
      if (!(await apply(tx))) throw new OperatorError('not-found', `There is no operator ${name}.`);
      await record(tx, { command, target: name, tenant: null });
    });
  }

  return {
    checkName,
    list: () => storage.operators.list(),
    async add(name, role, password) {
      checkName(name);
      const passwordHash = await hash(name, password);
      const account = { name, role, createdAt: clock.now() };
      await storage.transaction(async (tx) => {
        if (!(await tx.operators.add(account, passwordHash))) {
          throw new OperatorError('refused', `There is an operator ${name} already.`);
        }
        await record(tx, { command: 'operator add', target: `${name} ${role}`, tenant: null });
      });
      return account;
    },
    remove: (name) => change('operator remove', name, (tx) => tx.operators.remove(name)),
    async setPassword(name, password) {
      const passwordHash = await hash(name, password);
      await change('operator password', name, (tx) => tx.operators.setPassword(name, passwordHash));
    },
  };
}

function checkName(name: string): void {
  if (isOperatorName(name)) return;
  const sentence = `"${name}" is not a name: it has 2 to 40 small letters, digits, dots, hyphens and underscores, and begins with a letter.`;
  throw new OperatorError('refused', sentence);
}
