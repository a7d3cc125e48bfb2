import { isOperatorName, type OperatorAccount } from '../../domain/accounts/operator-account.ts';
import { callerNetwork } from '../../domain/audit/caller-network.ts';
import { toHex } from '../../domain/values/hex.ts';
import type { OperatorCommand } from '../audit/record-command.ts';
import type { AddressLimiter, PasswordHashing } from '../ports/access.ts';
import type { Clock, Hasher, Random } from '../ports/platform.ts';
import type { AuditEntry } from '../ports/storage/audit-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** Who does something in the console, and from where. */
export type ConsoleVisitor = { readonly name: string; readonly address: string };

/** From where somebody signs in: at the machine itself, or by way of a proxy. */
export type SignInOrigin = { readonly address: string; readonly isHere: boolean };

/** The audit entry of what a visitor of the console did. */
export type ConsoleEntry = (visitor: ConsoleVisitor, command: OperatorCommand) => AuditEntry;

type Needs = {
  readonly storage: Storage;
  readonly passwords: Pick<PasswordHashing, 'isHashOf'>;
  /** By network and by name: neither many names from one place nor one name from many places are tried faster. */
  readonly attempts: { readonly byNetwork: AddressLimiter; readonly byName: AddressLimiter };
  readonly random: Random;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly entryOf: ConsoleEntry;
};

export type SignIn =
  | { readonly outcome: 'signed-in'; readonly token: string }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'too-many'; readonly retryAfterSeconds: number };

export type OperatorSessions = {
  readonly signIn: (name: string, password: string, from: SignInOrigin) => Promise<SignIn>;
  /** Who has the token; null where nobody has, or the session has ended. Only what a person does is a use, after which it goes on. */
  readonly find: (token: string, isUse: boolean) => Promise<OperatorAccount | null>;
  readonly signOut: (token: string, visitor: ConsoleVisitor) => Promise<void>;
  /** What a form of the session must bring along: only pages of the session can know it. */
  readonly formToken: (token: string) => string;
};

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A working day. */
const LONGEST_MS = 12 * HOUR_MS;
const LONGEST_UNUSED_MS = HOUR_MS;
/** A hash takes a fifth of a second: whoever comes after so many would wait for longer than a browser shows why. */
const MOST_WAITING = 20;
const FULL_AGAIN_SECONDS = 5;
const TOKEN = /^[0-9a-f]{64}$/u;

export function operatorSessions(needs: Needs): OperatorSessions {
  const { storage, passwords, attempts, random, hasher, clock, entryOf } = needs;
  /** Attempts from elsewhere whose passwords are looked at, or wait for it. */
  let waiting = 0;
  const hashOf = (token: string) => hasher.sha256(`console ${token}`);

  /** A name that nobody has is not kept: it may be a password in the wrong field. */
  async function recordRefusal(name: string | null, address: string): Promise<void> {
    const command = { command: 'sign-in refused', target: 'console', tenant: null };
    const entry = entryOf({ name: name ?? 'unknown', address }, command);
    await storage.transaction((tx) => tx.audit.append([entry]));
  }

  /**
   * Names are counted only where they can be somebody's, and not for a network that has no attempt left: whoever sends others fills no memory.
   * At the machine they are counted apart: whoever guesses from afar, without end perhaps, must not keep its owner out, also where a proxy
   * does not say from where.
   */
  function limited(name: string, { address, isHere }: SignInOrigin): SignIn | null {
    if (!isHere && waiting >= MOST_WAITING) return { outcome: 'too-many', retryAfterSeconds: FULL_AGAIN_SECONDS };
    const apart = (counted: string) => (isHere ? `${counted} here` : counted);
    const ofNetwork = attempts.byNetwork.take(apart(callerNetwork(address)));
    const { allowed, retryAfterSeconds } =
      ofNetwork.allowed && isOperatorName(name) ? attempts.byName.take(apart(name)) : ofNetwork;
    return allowed ? null : { outcome: 'too-many', retryAfterSeconds };
  }

  /**
   * The account of the name, and whether the password is its own. Strangers can come from many networks and by many names, faster than
   * passwords are looked at: nobody at the machine waits for them.
   */
  async function prove(name: string, password: string, isHere: boolean) {
    const counted = isHere ? 0 : 1;
    waiting += counted;
    try {
      const found = await storage.operators.find(name);
      const origin = isHere ? 'here' : 'elsewhere';
      return { found, isRight: await passwords.isHashOf(found?.passwordHash ?? null, password, origin) };
    } finally {
      waiting -= counted;
    }
  }

  return {
    async signIn(name, password, from) {
      const tooMany = limited(name, from);
      const { address } = from;
      if (tooMany !== null) return tooMany;
      if (!isOperatorName(name)) {
        await recordRefusal(null, address);
        return { outcome: 'refused' };
      }
      const { found, isRight } = await prove(name, password, from.isHere);
      if (!isRight || found === null) {
        await recordRefusal(found === null ? null : name, address);
        return { outcome: 'refused' };
      }
      const token = toHex(random.bytes(32));
      const now = clock.now();
      const begun = await storage.transaction(async (tx) => {
        if (!(await tx.operators.beginSession(name, found.passwordHash, hashOf(token), now))) return false;
        // Afterwards: the account is locked first, by whoever ends its sessions too.
        await tx.operators.endSessionsBefore(now - LONGEST_MS, now - LONGEST_UNUSED_MS);
        await tx.audit.append([entryOf({ name, address }, { command: 'sign-in', target: 'console', tenant: null })]);
        return true;
      });
      return begun ? { outcome: 'signed-in', token } : { outcome: 'refused' };
    },
    async find(token, isUse) {
      if (!TOKEN.test(token)) return null;
      const hash = hashOf(token);
      const session = await storage.operators.findSession(hash);
      if (session === null) return null;
      const now = clock.now();
      const { beganAt, usedAt, operator } = session;
      // A time ahead of ours was written by a wrong clock: it must not keep a session for ever.
      const isOver = Math.abs(now - beganAt) > LONGEST_MS || Math.abs(now - usedAt) > LONGEST_UNUSED_MS;
      if (isOver) return null;
      if (isUse && now - usedAt > MINUTE_MS) await storage.transaction((tx) => tx.operators.useSession(hash, now));
      return operator;
    },
    signOut: (token, visitor) =>
      storage.transaction(async (tx) => {
        await tx.operators.endSession(hashOf(token));
        await tx.audit.append([entryOf(visitor, { command: 'sign-out', target: 'console', tenant: null })]);
      }),
    formToken: (token) => toHex(hasher.sha256(`form ${token}`)),
  };
}
