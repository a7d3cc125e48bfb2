import { DOCUMENT_POLICY } from './document-frame.ts';
import { RENDERER } from './document-page.ts';

export const RENDERER_HEADER = 'X-Renderer';

/** Of every page that shows a document, in whatever way it was asked for. */
export const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': DOCUMENT_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  [RENDERER_HEADER.toLowerCase()]: String(RENDERER),
} as const;
