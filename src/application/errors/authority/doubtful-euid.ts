import { AuthorityCallError } from '../../ports/authority.ts';

/** The EUID by which it was asked may not be the document's: the answer is of another document, or none is known by it. */
export class DoubtfulEuid extends AuthorityCallError {}
