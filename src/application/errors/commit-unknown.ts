import { ServiceUnavailable } from './service-unavailable.ts';

/** The connection to the database broke, or the disk failed, during a commit: whether the change was made is not known. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/** A failure of the database, which passes and says nothing about what was being done. */
export function isDatabaseFailure(error: unknown): error is ServiceUnavailable | CommitUnknown {
  return error instanceof ServiceUnavailable || error instanceof CommitUnknown;
}

/** For the operator, with what the database itself says. That never holds the URL, which has the password. */
export function databaseFailureText({ message, cause }: ServiceUnavailable | CommitUnknown): string {
  const said = causeText(cause);
  return said === null ? message : `${message} ${said}`;
}

/** Of a server whose name has several addresses, Node tells what each of them said, and nothing itself. */
export function causeText(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  const several =
    cause instanceof AggregateError && cause.message === '' ? (cause.errors as readonly Error[]) : [cause];
  return several.map(({ message }) => message).join(', ');
}
