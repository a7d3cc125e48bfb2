import { AuthorityCallError, type AuthorityStatusChange } from '../ports/authority.ts';

/** The EUID by which it was asked may not be the document's: the answer is of another document, or none is known by it. */
export class DoubtfulEuid extends AuthorityCallError {}

/** The authority has answered, but what it says cannot be read, or is about something else: of another request that shows nothing. */
export class UnusableAnswer extends AuthorityCallError {
  constructor(message: string) {
    super(message, { kind: 'error', isUncertain: true });
  }
}

/** What the authority answered found no room here, beside the answers of others: it says nothing, and is had as soon as these are read. */
export class NoRoomForAnswer extends AuthorityCallError {}

/** The authority has given some of a day's changes of status, and shown that there are others. */
export class PartOfChanges extends AuthorityCallError {
  readonly changes: readonly AuthorityStatusChange[];

  constructor(message: string, changes: readonly AuthorityStatusChange[]) {
    super(message, { kind: 'error', isUncertain: true });
    this.changes = changes;
  }
}
