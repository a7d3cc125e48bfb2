import { LANGUAGES } from '../../domain/messages/languages.ts';
import { pageWords } from '../../domain/messages/page-texts.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { ROOT } from '../answers.ts';
import { assetPath } from '../assets.ts';
import type { ConsoleView } from './view.ts';

/** Where the header of every page leads. */
const PLACES = {
  overview: '',
  documents: '/documents',
  tenants: '/tenants',
  keys: '/keys',
  audit: '/audit',
  system: '/system',
} as const;

export type Place = keyof typeof PLACES;

type Framed = {
  readonly title: Html | string;
  readonly place: Place | null;
  readonly body: Html;
  /** Whether its parts marked `data-live` are brought up to date while it is open. */
  readonly isLive?: boolean;
};

export function framed(view: ConsoleView, { title, place, body, isLive = false }: Framed): string {
  const { language, words, operator, isDemo } = view;
  const script = html`<script type="module" src="${assetPath('console.js')}"></script>`;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Dostava</title>
<link rel="stylesheet" href="${assetPath('look.css')}"><link rel="stylesheet" href="${assetPath('console.css')}"><link rel="icon" href="${assetPath('icon.svg')}">
${script}
</head><body class="console"${isLive ? html` data-refresh="5"` : null}>
<a class="skip" href="#content">${pageWords(language)('skip-to-content')}</a>
<header class="top"><div><a class="name" href="${ROOT}">Dostava</a><span class="mark">${isDemo ? pageWords(language)('demo') : words('console')}</span>
<nav aria-label="${words('places-of-console')}">${operator === null ? null : placeLinks(view, place)}</nav>
${languageLinks(view)}${operator === null ? null : signedIn(view)}</div></header>
<main id="content">
${body}
</main>
</body></html>
`.toString();
}

function placeLinks({ words }: ConsoleView, place: Place | null): readonly Html[] {
  return Object.entries(PLACES).map(
    ([name, path]) =>
      html`<a href="${ROOT}${path}"${name === place ? html` aria-current="page"` : null}>${words(name as Place)}</a>`,
  );
}

function languageLinks({ language, here }: ConsoleView): readonly Html[] {
  return LANGUAGES.filter((one) => one !== language).map((other) => {
    const address = new URL(here);
    address.searchParams.set('language', other);
    const name = pageWords(other)('own-name');
    return html`<a class="language" href="${address.pathname}${address.search}" lang="${other}" hreflang="${other}">${name}</a>`;
  });
}

function signedIn(view: ConsoleView): Html {
  const { words, operator } = view;
  if (operator === null) return html``;
  return html`<form class="who" method="post" action="${ROOT}/sign-out">${formToken(view)}<span>${operator.name} <span class="quiet">(${words(`role-${operator.role}`)})</span></span><button>${words('sign-out')}</button></form>`;
}

/** Without it nothing that a form asks for is done. */
export function formToken({ formToken: token }: ConsoleView): Html {
  return html`<input type="hidden" name="token" value="${token}">`;
}

/** A page that says what is the matter, and leads back. */
export function noticePage(view: ConsoleView, title: string, says: Html | string): string {
  const body = html`<h1>${title}</h1><p class="lead">${says}</p><p><a href="${ROOT}">${view.words('back')}</a></p>`;
  return framed(view, { title, place: null, body });
}
