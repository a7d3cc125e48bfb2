import {
  type CatalogueRow,
  ERROR_CODES,
  type ErrorCode,
  PROBLEM_CATALOGUE,
} from '../../application/errors/problem-catalogue.ts';
import { pageWords, TRANSLATED_EXPLANATIONS } from '../../domain/messages/page-texts.ts';
import { demonstration } from '../answers/demonstrations.ts';
import { API_ROOT } from '../api.ts';
import { html } from './html.ts';
import { copyable, filled, pageHtml, prose, type View } from './page.ts';

const EXAMPLE_IN_CHECKOUT = 'docs/examples/invoice.xml';

/** The page that lists all codes; the `type` of a problem is the URL of the page of its code. */
export function errorIndexPage(view: View): string {
  const words = pageWords(view.language);
  const rows = ERROR_CODES.map(
    (code) =>
      html`<tr><td class="key"><a href="${view.root}errors/${code}${view.query}">${code}</a></td><td>${PROBLEM_CATALOGUE[code].status}</td><td>${prose(view, explanation(code, view).title)}</td></tr>\n`,
  );
  return pageHtml(view, {
    title: words('error-index'),
    here: 'errors',
    body: html`<h1>${words('error-index')}</h1>
<p class="lead">${filled(words('error-index-lead'), { field: html`<code>code</code>` })}</p>
<table><thead><tr><th scope="col">${words('code')}</th><th scope="col">HTTP</th><th scope="col">${words('title')}</th></tr></thead><tbody>
${rows}</tbody></table>`,
  });
}

export function errorPage(view: View, code: ErrorCode, demoUrl: string): string {
  const words = pageWords(view.language);
  const { status, title: stable } = PROBLEM_CATALOGUE[code];
  const { title, happened, remedy, retry } = explanation(code, view);
  const original =
    title === stable
      ? null
      : html`<p class="quiet">${filled(words('in-answers'), { title: html`<span lang="en">${stable}</span>` })}</p>`;
  return pageHtml(view, {
    title: `${code}: ${title}`,
    here: 'errors',
    scripts: ['copy.js'],
    body: html`<h1><span class="key">${code}</span>: ${prose(view, title)}</h1>
<p class="quiet">HTTP ${status}</p>${original}
<h2>${words('happened')}</h2><p>${prose(view, happened)}</p>
<h2>${words('remedy')}</h2><p>${prose(view, remedy)}</p>
<h2>${words('retry')}</h2><p>${prose(view, retry)}</p>
<h2>${words('see-it')}</h2>${copyable(view, errorCommand(code, demoUrl))}
<p><a href="${view.root}errors${view.query}">${words('all-codes')}</a></p>`,
  });
}

/** The command that shows a code, from any folder: an example document comes from the service instead of a checkout. */
export function errorCommand(code: ErrorCode, demoUrl: string): string {
  const command = demonstration(code, `${demoUrl}${API_ROOT}`);
  if (!command.includes(EXAMPLE_IN_CHECKOUT)) return command;
  return `curl -sO ${demoUrl}/examples/invoice.xml\n${command.replaceAll(EXAMPLE_IN_CHECKOUT, 'invoice.xml')}`;
}

function explanation(code: ErrorCode, { language }: View): Omit<CatalogueRow, 'status'> {
  return TRANSLATED_EXPLANATIONS[language]?.[code] ?? PROBLEM_CATALOGUE[code];
}
