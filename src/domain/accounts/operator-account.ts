/** What a person may do in the console: a `viewer` reads, an `operator` also acts. */
export const OPERATOR_ROLES = ['viewer', 'operator'] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** A person who signs in to the console. */
export type OperatorAccount = {
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdAt: number;
};

const NAME = /^[a-z][a-z0-9._-]{1,39}$/u;

/** Names stand in the audit trail and are typed at every sign-in: short, in one case, without blanks. */
export function isOperatorName(text: string): boolean {
  return NAME.test(text);
}

const SHORTEST_PASSWORD = 12;
/** Longer ones cost time to hash and help nobody. */
const LONGEST_PASSWORD = 256;

/** Why a password is not good enough; null where it is. */
export function weakPassword(name: string, password: string): string | null {
  if (password.length < SHORTEST_PASSWORD) return `A password has at least ${SHORTEST_PASSWORD} characters.`;
  if (password.length > LONGEST_PASSWORD) return `A password has at most ${LONGEST_PASSWORD} characters.`;
  if (new Set(password).size < 5 || password.toLowerCase().includes(name)) {
    return 'The password is easy to guess: it has too few different characters, or the name in it.';
  }
  return null;
}
