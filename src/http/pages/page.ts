import { LANGUAGES, type Language } from '../../domain/messages/languages.ts';
import { type PageKey, pageWords } from '../../domain/messages/page-texts.ts';
import { ASSETS, type AssetName } from './assets.ts';
import { type Html, html, type Part } from './html.ts';

/** What every page depends on. */
export type View = {
  readonly language: Language;
  /** Leads from the page to the root of the service, also where a proxy serves it below a path of its own. */
  readonly root: string;
  /** At the end of every link where the reader has chosen a language by one; empty otherwise. */
  readonly query: string;
  /** Demo keys, the tour and sending calls are for the demo environment alone. */
  readonly isDemo: boolean;
};

type Page = {
  readonly title: string;
  readonly here: PlaceName | null;
  readonly scripts?: readonly AssetName[];
  readonly body: Html;
};

/** Where the header of every page leads. */
const PLACES = { start: '', reference: 'docs', errors: 'errors' } as const satisfies Partial<Record<PageKey, string>>;

type PlaceName = keyof typeof PLACES;

export function pageHtml(view: View, { title, here, scripts = [], body }: Page): string {
  const { language, root, query, isDemo } = view;
  const words = pageWords(language);
  const asset = (name: AssetName) => `${root}assets/${ASSETS[name].fileName}`;
  const places = Object.entries(PLACES).map(
    ([name, path]) =>
      html`<a href="${root}${path}${query}"${here === name ? html` aria-current="page"` : null}>${words(name as PlaceName)}</a>`,
  );
  const others = LANGUAGES.filter((one) => one !== language);
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Dostava</title>
<link rel="stylesheet" href="${asset('look.css')}"><link rel="icon" href="${asset('icon.svg')}">
${scripts.map((name) => html`<script type="module" src="${asset(name)}"></script>`)}
</head><body>
<a class="skip" href="#content">${words('skip-to-content')}</a>
<header class="top"><div><a class="name" href="${root}${query}">Dostava</a>${isDemo ? html`<span class="mark">${words('demo')}</span>` : null}
<nav aria-label="Dostava">${places}</nav>
${others.map((one) => html`<a href="?language=${one}" lang="${one}" hreflang="${one}">${pageWords(one)('own-name')}</a>`)}</div></header>
<main id="content">
${body}
</main>
<footer>${words('footer')}</footer>
</body></html>
`.toString();
}

/** A command or another text that readers copy. */
export function copyable({ language }: View, text: string): Html {
  const words = pageWords(language);
  return html`<div class="command"><pre><code>${breakable(text)}</code></pre><button type="button" hidden data-copied="${words('copied')}">${words('copy')}</button></div>`;
}

/** A long address may go on in the next line after each slash; what is copied stays the same. */
export function breakable(text: string): Html {
  return html`${text.split(/(?<=[/=])/u).map((piece, index) => (index === 0 ? piece : html`<wbr>${piece}`))}`;
}

/** Words of a page with their values, which may be HTML. */
export function filled(text: string, values: Readonly<Record<string, Part>>): Html {
  const pieces = text.split(/\{(\w+)\}/u);
  const strings = pieces.filter((_, index) => index % 2 === 0);
  const parts = pieces.filter((_, index) => index % 2 === 1).map((name) => values[name] ?? null);
  return html`${strings.flatMap((string, index) => [string, parts[index] ?? null])}`;
}

const CODE_OR_HEADER = /(ERR-\d{4}|X-[A-Z][A-Za-z-]+[a-z])/u;

/** A text whose error codes lead to their pages, and whose names of headers stay on one line. */
export function prose({ root, query }: View, text: string): Html {
  const pieces = text.split(CODE_OR_HEADER).map((piece, index) => {
    if (index % 2 === 0) return piece;
    if (piece.startsWith('X-')) return html`<span class="key">${piece}</span>`;
    return html`<a class="key" href="${root}errors/${piece}${query}">${piece}</a>`;
  });
  return html`${pieces}`;
}
