import { AUTHORITY_CODES } from '../../../domain/messages/en/authority-codes.ts';
import { type Message, message } from '../../../domain/messages/message.ts';

type ExplainedCode = keyof typeof AUTHORITY_CODES;

/** The receiver's codes that have a message of their own. */
export const EXPLAINED_CODES = Object.keys(AUTHORITY_CODES) as readonly ExplainedCode[];

/** What an error of the authority's receiver means to the person who issued the document; null for a code that can only be quoted. */
export function explanationOf(code: string): Message | null {
  const explained = EXPLAINED_CODES.find((known) => known === code);
  return explained === undefined ? null : message(explained);
}
