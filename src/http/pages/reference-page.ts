import { type PageKey, pageWords } from '../../domain/messages/page-texts.ts';
import { callForm, sharedHeaders } from './call-form.ts';
import {
  type Call,
  type Content,
  callsOf,
  type DescribedInterface,
  type Parameter,
  type Response,
  resolved,
  schemaName,
} from './described-interface.ts';
import { type Html, html } from './html.ts';
import { breakable, filled, pageHtml, prose, type View } from './page.ts';
import { kindOf, meaningOf, schemaFields } from './schema-fields.ts';

export type ReferenceNeeds = {
  readonly name: 'integration' | 'extensions';
  readonly described: DescribedInterface;
  /** What the body of a submission holds at first. */
  readonly exampleBody: string;
};

const OTHER = {
  integration: { title: 'reference-title', path: 'docs/extensions', says: 'extensions' },
  extensions: { title: 'reference-extensions-title', path: 'docs', says: 'contract' },
} as const satisfies Readonly<Record<string, { title: PageKey; path: string; says: PageKey }>>;

/** Every call of an interface, from its description; in the demo environment each can be sent. */
export function referencePage(view: View, { name, described, exampleBody }: ReferenceNeeds): string {
  const words = pageWords(view.language);
  const { title, path, says } = OTHER[name];
  const byTag = Map.groupBy(callsOf(described), ({ operation }) => operation.tags?.[0] ?? '');
  const description = html`<a href="${view.root}api/${name}/v1/openapi.json">${words('description')}</a>`;
  return pageHtml(view, {
    title: words(title),
    here: 'reference',
    scripts: view.isDemo ? ['send-call.js'] : [],
    body: html`<div class="two"><nav aria-label="${words('calls-on-page')}">${[...byTag].map(
      ([tag, calls]) => html`<strong lang="en">${tag}</strong><ul>${calls.map(listItem)}</ul>`,
    )}</nav><div>
<h1>${words(title)}</h1>
<p class="lead">${filled(words('reference-lead'), { description })}</p>
<p>${words('other-reference')} <a href="${view.root}${path}${view.query}">${words(says)}</a></p>
<p lang="en">${prose(view, described.info.description ?? '')}</p>
${view.isDemo ? sharedHeaders(view) : html`<p>${words('front-no-keys')}</p>`}
${[...byTag].map(
  ([tag, calls]) =>
    html`<h2 lang="en">${tag}</h2>${calls.map((call) => callSection(view, described, call, exampleBody))}`,
)}
</div></div>`,
  });
}

function listItem({ method, operation: { operationId } }: Call): Html {
  return html`<li><a href="#${operationId}">${operationId}</a> <span class="quiet">${method}</span></li>`;
}

function callSection(view: View, described: DescribedInterface, call: Call, exampleBody: string): Html {
  const words = pageWords(view.language);
  const { method, path, operation } = call;
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const answers = Object.entries(responses).map(
    ([status, response]) => [status, resolved(described, response)] as const,
  );
  return html`<section class="call" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title"><span class="method">${method}</span> ${breakable(path)}</h3>
<p lang="en">${summary ?? null}</p>
${description === undefined ? null : html`<p lang="en">${prose(view, description)}</p>`}
${parameters.length === 0 ? null : parameterTable(view, described, parameters)}
${requestBody === undefined ? null : html`<h4>${words('body')}</h4><p lang="en">${requestBody.description ?? null}</p>`}
<h4>${words('answers')}</h4>
<table><thead><tr><th scope="col">${words('status')}</th><th scope="col">${words('meaning')}</th></tr></thead><tbody>
${answers.map(([status, response]) => html`<tr><td class="key">${status}</td><td lang="en">${prose(view, response.description ?? '')}</td></tr>\n`)}
</tbody></table>
${answers.filter(([status]) => status.startsWith('2')).map(([, response]) => answerDetails(view, described, response))}
${view.isDemo ? callForm(view, call, exampleBody) : null}
</section>`;
}

function parameterTable(view: View, described: DescribedInterface, parameters: readonly Parameter[]): Html {
  const words = pageWords(view.language);
  const rows = parameters.map(({ name, in: place, required, description, schema = {} }) => {
    const meaning = description ?? meaningOf(described, schema);
    return html`<tr><td><code>${name}</code></td><td>${place}${required === true ? `, ${words('required')}` : null}</td><td>${kindOf(described, schema)}</td><td lang="en">${prose(view, meaning)}</td></tr>\n`;
  });
  return html`<h4>${words('parameters')}</h4>
<table class="wide"><thead><tr>${(['name', 'place', 'kind', 'meaning'] as const).map((key) => html`<th scope="col">${words(key)}</th>`)}</tr></thead><tbody>
${rows}</tbody></table>`;
}

/** The fields of an answer and its first examples. */
function answerDetails({ language }: View, described: DescribedInterface, { content = {} }: Response): Html {
  const words = pageWords(language);
  const schema = Object.values(content)[0]?.schema ?? {};
  const name = schemaName(schema);
  const fields = schemaFields(described, schema);
  const table = html`<table class="wide"><thead><tr>${(['name', 'kind', 'meaning'] as const).map((key) => html`<th scope="col">${words(key)}</th>`)}</tr></thead><tbody>
${fields.map((field) => html`<tr><td><code>${field.name}</code></td><td>${field.kind}</td><td lang="en">${field.meaning}</td></tr>\n`)}</tbody></table>`;
  return html`${fields.length === 0 ? null : html`<details><summary>${filled(words('fields'), { schema: html`<code>${name}</code>` })}</summary>${table}</details>`}
${examplesOf(described, content).map(
  ([example, value]) =>
    html`<details><summary>${filled(words('example'), { name: html`<code>${example}</code>` })}</summary><pre class="tall" tabindex="0"><code>${value}</code></pre></details>`,
)}`;
}

function examplesOf(described: DescribedInterface, content: Content): readonly (readonly [string, string])[] {
  const examples = Object.values(content)[0]?.examples ?? {};
  return Object.entries(examples).map(([name, given]) => {
    const { value } = resolved(described, given) as { readonly value?: unknown };
    return [name, typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')] as const;
  });
}
