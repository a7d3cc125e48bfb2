import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { LANGUAGES, type Language } from '../../domain/messages/languages.ts';

/** The language that Accept-Language asks for; null where it names none that there is. `*` asks for none. */
export function askedLanguage({ headers }: Pick<IncomingMessage, 'headers'>): Language | null {
  const given = headers['accept-language'];
  if (given === undefined) return null;
  const named = given.split(',').filter((range) => !range.trimStart().startsWith('*'));
  if (named.length === 0) return null;
  const negotiator = new Negotiator({ headers: { 'accept-language': named.join(',') } });
  return (negotiator.language([...LANGUAGES]) as Language | undefined) ?? null;
}
