import { type PageKey, pageWords } from '../../domain/messages/page-texts.ts';
import { API_ROOT } from '../api.ts';
import { EXTENSIONS_ROOT } from '../extensions.ts';
import { DEMO_KEYS, demoTour } from './demo-tour.ts';
import { EXAMPLES } from './examples.ts';
import { type Html, html } from './html.ts';
import { copyable, pageHtml, prose, type View } from './page.ts';

/** What this is and where to go; in the demo environment also the tour and the keys. */
export function frontPage(view: View, demoUrl: string): string {
  const words = pageWords(view.language);
  return pageHtml(view, {
    title: words('front-title'),
    here: 'start',
    scripts: ['copy.js'],
    body: html`<h1>${words('front-title')}</h1>
<p class="lead">${words('front-lead')}</p>
${view.isDemo ? null : html`<p>${words('front-no-keys')}</p>`}
<h2>${words('where-to-go')}</h2>
${placesToGo(view)}
${view.isDemo ? html`${tour(view, demoUrl)}${keys(view)}` : null}`,
  });
}

/** For a browser that asked for what is not there. */
export function notFoundPage(view: View): string {
  const words = pageWords(view.language);
  return pageHtml(view, {
    title: words('not-found'),
    here: null,
    body: html`<h1>${words('not-found')}</h1><p class="lead">${words('not-found-lead')}</p>${placesToGo(view)}`,
  });
}

function placesToGo({ language, root, query, isDemo }: View): Html {
  const words = pageWords(language);
  const place = (path: string, name: string, says: PageKey) =>
    html`<tr><td><a href="${root}${path}">${name}</a></td><td>${words(says)}</td></tr>\n`;
  const examples = EXAMPLES.map((name) => html`<a href="${root}examples/${name}">${name}</a> `);
  return html`<table><tbody>
${place(`docs${query}`, words('reference'), isDemo ? 'to-reference-demo' : 'to-reference')}
${place(`docs/extensions${query}`, words('extensions'), 'to-extensions')}
${place(`errors${query}`, words('errors'), 'to-errors')}
<tr><td>OpenAPI</td><td>${words('to-description')}: <a href="${root}${API_ROOT.slice(1)}/openapi.json">integration</a>, <a href="${root}${EXTENSIONS_ROOT.slice(1)}/openapi.json">extensions</a></td></tr>
<tr><td>${words('example-documents')}</td><td>${words('to-examples')}: ${examples}</td></tr>
</tbody></table>`;
}

function tour(view: View, demoUrl: string): Html {
  const words = pageWords(view.language);
  const steps = demoTour(demoUrl, API_ROOT, EXTENSIONS_ROOT).map(
    ({ says, command }) => html`<li><p>${words(says)}</p>${copyable(view, command)}</li>\n`,
  );
  return html`<h2>${words('tour')}</h2><p class="lead">${words('tour-lead')}</p><ol class="steps">
${steps}</ol>`;
}

function keys(view: View): Html {
  const words = pageWords(view.language);
  const rows = Object.entries(DEMO_KEYS).map(
    ([name, says]) => html`<tr><td class="key"><code>${name}</code></td><td>${prose(view, words(says))}</td></tr>\n`,
  );
  return html`<h2>${words('demo-keys')}</h2><p class="lead">${words('demo-keys-lead')}</p>
<table><thead><tr><th scope="col">${words('key')}</th><th scope="col">${words('what-it-shows')}</th></tr></thead><tbody>
${rows}</tbody></table>`;
}
