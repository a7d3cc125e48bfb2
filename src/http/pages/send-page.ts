import type { FastifyReply, FastifyRequest } from 'fastify';
import { LANGUAGES, type Language, OPERATOR_LANGUAGE } from '../../domain/messages/languages.ts';
import { askedLanguage } from '../answers/answer-language.ts';
import type { View } from './page.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Deeper addresses are none of ours; a long way back in every link would make a large answer of a small request. */
const MOST_LEVELS = 8;

export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

export function viewFor(request: FastifyRequest, isDemo: boolean): View {
  const chosen = chosenLanguage(request.query);
  const [path = '/'] = request.originalUrl.split('?', 1);
  const depth = path.split('/').length - 2;
  return {
    language: chosen ?? askedLanguage(request.raw) ?? OPERATOR_LANGUAGE,
    root: depth <= 0 ? './' : depth > MOST_LEVELS ? '/' : '../'.repeat(depth),
    query: chosen === null ? '' : `?language=${chosen}`,
    isDemo,
  };
}

export function sendPage(reply: FastifyReply, { language }: View, text: string): FastifyReply {
  return reply
    .headers(PAGE_HEADERS)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', language)
    .header('vary', 'Accept-Language, Accept')
    .send(text);
}

/** By the link of a page, which counts more than what the browser is set to. */
function chosenLanguage(query: unknown): Language | null {
  const { language } = query as { readonly language?: unknown };
  return LANGUAGES.find((one) => one === language) ?? null;
}
