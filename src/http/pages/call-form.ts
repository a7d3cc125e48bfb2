import { pageWords } from '../../domain/messages/page-texts.ts';
import type { Call, Parameter } from './described-interface.ts';
import { type Html, html } from './html.ts';
import type { View } from './page.ts';

/** Filled in once, for all calls of the page. */
const SHARED_HEADERS: Readonly<Record<string, string>> = {
  'X-Api-Key': 'demo-alfa',
  'X-Software-Id': 'reference/1.0',
};

/** The headers that every call is sent with. */
export function sharedHeaders({ language }: View): Html {
  const words = pageWords(language);
  const fields = Object.entries(SHARED_HEADERS).map(
    ([name, value]) =>
      html`<div><label for="${name}">${name}</label><input id="${name}" data-header="${name}" value="${value}" autocomplete="off" spellcheck="false"></div>`,
  );
  return html`<h2>${words('your-headers')}</h2><p class="lead">${words('headers-lead')}</p><div class="fields">${fields}</div>`;
}

/** By which a call is sent from the page; `send-call.js` does it. */
export function callForm({ language, root }: View, { method, path, operation }: Call, exampleBody: string): Html {
  const words = pageWords(language);
  const { operationId, parameters = [], requestBody } = operation;
  const own = parameters.filter(({ name }) => !Object.hasOwn(SHARED_HEADERS, name));
  const body =
    requestBody === undefined
      ? null
      : html`<label for="${operationId}-body">${words('body')}</label><textarea id="${operationId}-body" data-body rows="12" spellcheck="false">${exampleBody}</textarea>
<p class="quiet">${words('new-key-each-time')}</p>`;
  return html`<details><summary>${words('try-it')}</summary>
<form data-method="${method}" data-url="${root}${path.slice(1)}" data-sending="${words('sending')}" data-unreachable="${words('unreachable')}" data-file="${words('file-answer')}" data-cut="${words('answer-cut')}">
<div class="fields">${own.map((parameter) => inputOf(operationId, parameter))}</div>
${body}
<p><button class="main" type="submit">${words('send')}<span class="unseen"> ${operationId}</span></button></p>
<div role="status" aria-label="${words('answer-of-call')}" hidden></div></form></details>`;
}

function inputOf(operationId: string, { name, in: place, required }: Parameter): Html {
  const id = `${operationId}-${name}`;
  return html`<div><label for="${id}">${name}${required === true ? ' *' : null}</label><input id="${id}" data-in="${place}" data-name="${name}"${required === true ? html` required` : null} autocomplete="off" spellcheck="false"></div>`;
}
