import type { AccountPart } from '../application/accounts/check-account.ts';
import { databaseFailureText, isDatabaseFailure } from '../application/errors/commit-unknown.ts';
import { OperatorError, type OperatorErrorCode } from '../application/errors/operator-error.ts';

/** Names the risk: whatever happens to the archive happens to the documents. */
export const YOUNGER_ACCEPTED = 'the-archive-is-their-only-copy';

/** Names what must be true: otherwise the volumes of two archives have the same names. */
export const NEW_ARCHIVE_ACCEPTED = 'the-former-one-is-lost';

const ERROR_HINTS: Readonly<Record<OperatorErrorCode, string>> = {
  'archive-elsewhere': `Mount its disk, or set ARCHIVE_DIR right. If all of it is lost: --new-archive ${NEW_ARCHIVE_ACCEPTED}.`,
  'archive-limit-in-future': '--before must not be later than now.',
  'archive-not-served': 'Set ARCHIVE_DIR, for the services too, and archive into that folder.',
  'archive-too-young': `To remove them all the same: --younger ${YOUNGER_ACCEPTED}.`,
  'backup-damaged': 'With --accept-damage it is restored as it is.',
  'database-exists': 'With --force it is set aside.',
  'key-expired': 'Give --expires.',
  'no-archive-folder': 'Give --to, or set ARCHIVE_DIR.',
  'no-target-database': 'Give --to, or set DATABASE_URL.',
};

/** How the operator supplies a missing part of a tenant's account. */
export const ACCOUNT_HINTS: Readonly<Record<AccountPart, string>> = {
  'eujp-id': 'Set it with tenant set --eujp-id.',
  certificate: 'Store one with tenant set --pkcs12, or --certificate and --private-key or --signing-command.',
};

/** The message of an error, with the option that resolves it: use cases do not know how they are called. */
export function messageWithHint(error: Error): string {
  if (isDatabaseFailure(error)) return databaseFailureText(error);
  const code = error instanceof OperatorError ? error.code : null;
  return code === null ? error.message : `${error.message} ${ERROR_HINTS[code]}`;
}
