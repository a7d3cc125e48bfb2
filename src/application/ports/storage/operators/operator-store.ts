import type { OperatorAccount } from '../../../../domain/accounts/operator-account.ts';

/** Somebody who is signed in to the console. Its token is known to the browser alone. */
export type OperatorSession = {
  readonly operator: OperatorAccount;
  readonly beganAt: number;
  readonly usedAt: number;
};

export type OperatorStore = {
  /** False when the name is taken. */
  readonly add: (account: OperatorAccount, passwordHash: string) => Promise<boolean>;
  readonly list: () => Promise<readonly OperatorAccount[]>;
  readonly find: (name: string) => Promise<{ readonly account: OperatorAccount; readonly passwordHash: string } | null>;
  /** False when there is no such account. Its sessions end with it. */
  readonly remove: (name: string) => Promise<boolean>;
  /** False when there is no such account. Its sessions end: whoever had the former password is out. */
  readonly setPassword: (name: string, passwordHash: string) => Promise<boolean>;
  /** False when the account has gone, or has another password by now. */
  readonly beginSession: (name: string, passwordHash: string, tokenSha256: Uint8Array, at: number) => Promise<boolean>;
  readonly findSession: (tokenSha256: Uint8Array) => Promise<OperatorSession | null>;
  readonly useSession: (tokenSha256: Uint8Array, at: number) => Promise<void>;
  readonly endSession: (tokenSha256: Uint8Array) => Promise<void>;
  /** Deletes sessions that began or were used last before these times. */
  readonly endSessionsBefore: (beganAt: number, usedAt: number) => Promise<void>;
};
