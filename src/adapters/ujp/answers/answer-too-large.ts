import { AuthorityCallError } from '../../../application/ports/authority.ts';

/** The answer has more bytes than are read of it. */
export class AnswerTooLarge extends AuthorityCallError {}
