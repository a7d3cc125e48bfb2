import type { Language } from '../domain/messages/languages.ts';
import type { Answer } from './visit.ts';

/** Scripts, styles and pictures of ours, frames of ours, forms to us; nothing else, and in nobody's frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Of every answer of the console. With `no-referrer` browsers would not name the origin of our own forms. */
export const SAFE_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

export function pageAnswer(language: Language, page: string, status = 200): Answer {
  return {
    status,
    headers: { ...SAFE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-language': language },
    body: page,
  };
}

/** After a form: the browser reads the page by GET, so that reloading it sends nothing twice. */
export function redirect(path: string, cookie: string | null = null): Answer {
  const cookies = cookie === null ? {} : { 'set-cookie': cookie };
  return { status: 303, headers: { ...SAFE_HEADERS, ...cookies, location: path }, body: '' };
}

/** A link within the console, whose beginning is the same everywhere. */
export const ROOT = '/console';
