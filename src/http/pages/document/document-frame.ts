import { createHash } from 'node:crypto';
import type { Language } from '../../../domain/messages/languages.ts';
import { pageWords } from '../../../domain/messages/page-texts.ts';
import { ASSETS } from '../assets.ts';
import { type Html, html } from '../html.ts';

/** In the page itself: whoever fetched it with a key shows, keeps or prints it elsewhere, where no address of ours is known. */
const STYLE = [ASSETS['look.css'], ASSETS['document.css']]
  .map(({ bytes }) => new TextDecoder().decode(bytes))
  .join('\n');

const STYLE_SHA256 = createHash('sha256').update(STYLE).digest('base64');

/** Its own style and its icon, and nothing else: no script, no picture of a document, no frame around it. */
export const DOCUMENT_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_SHA256}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export type FrameOptions = {
  /** Leads from the page to the root of the service. */
  readonly root: string;
  /** The same page in other languages, where an address is enough to have it. */
  readonly otherLanguages: readonly { readonly language: Language; readonly address: string }[];
};

type Framed = { readonly language: Language; readonly title: string; readonly body: Html };

export function documentFrame({ language, title, body }: Framed, { root, otherLanguages }: FrameOptions): string {
  const others = otherLanguages.map(
    ({ language: other, address }) =>
      html`<a href="${address}" lang="${other}" hreflang="${other}">${pageWords(other)('own-name')}</a>`,
  );
  const head = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<title>${title} · Dostava</title><link rel="icon" href="${root}assets/${ASSETS['icon.svg'].fileName}">
`;
  const rest = html`</head><body>
<header class="top"><div><span class="name">Dostava</span>${others}</div></header>
<main class="paper">
${body}
</main>
<footer>${pageWords(language)('footer')}</footer>
</body></html>
`;
  return `${head}<style>${STYLE}</style>${rest}`;
}
