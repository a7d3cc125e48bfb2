import type { AccountPart } from '../application/accounts/check-account.ts';
import { OperatorError, type OperatorErrorCode } from '../application/errors/operator-error.ts';

const ERROR_HINTS: Readonly<Record<OperatorErrorCode, string>> = {
  'archive-limit-in-future': '--before must not be later than now.',
  'database-exists': 'With --force it is set aside.',
  'key-expired': 'Give --expires.',
  'no-target-database': 'Give --to, or set DATABASE_URL.',
};

/** How the operator supplies a missing part of a tenant's account. */
export const ACCOUNT_HINTS: Readonly<Record<AccountPart, string>> = {
  'eujp-id': 'Set it with tenant set --eujp-id.',
  certificate: 'Store one with tenant set --certificate --private-key.',
};

/** The message of an error, with the option that resolves it: use cases do not know how they are called. */
export function messageWithHint(error: Error): string {
  const code = error instanceof OperatorError ? error.code : null;
  return code === null ? error.message : `${error.message} ${ERROR_HINTS[code]}`;
}
