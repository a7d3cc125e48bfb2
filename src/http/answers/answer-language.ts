import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import { LANGUAGES, type Language } from '../../domain/messages/languages.ts';
import { CACHE_HEADERS } from './cache-headers.ts';

/** The language that Accept-Language asks for; null where it names none that there is. `*` asks for none. */
export function askedLanguage({ headers }: Pick<IncomingMessage, 'headers'>): Language | null {
  const given = headers['accept-language'];
  if (given === undefined) return null;
  const named = given.split(',').filter((range) => !range.trimStart().startsWith('*'));
  if (named.length === 0) return null;
  const negotiator = new Negotiator({ headers: { 'accept-language': named.join(',') } });
  return (negotiator.language([...LANGUAGES]) as Language | undefined) ?? null;
}

/** The language of an answer, which says so where the caller has asked for it; the given one where it has not. */
export function answerLanguage(reply: FastifyReply, otherwise: Language): Language {
  const asked = askedLanguage(reply.request.raw);
  if (asked === null) return otherwise;
  reply.header('content-language', asked).header('vary', `${CACHE_HEADERS.vary}, Accept-Language`);
  return asked;
}
