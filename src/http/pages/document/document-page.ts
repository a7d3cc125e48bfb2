import type { ViewedDocument } from '../../../application/views/view-document.ts';
import type { Language } from '../../../domain/messages/languages.ts';
import { shortText } from '../../../domain/values/one-line-text.ts';
import type { DocumentView } from '../../../domain/views/document-view.ts';
import { amountText } from '../../../domain/views/shown-numbers.ts';
import { type Html, html } from '../html.ts';
import { filled } from '../page.ts';
import { documentFrame, type FrameOptions } from './document-frame.ts';
import { linesSection } from './line-rows.ts';
import { facts, type PageContext, pageContext } from './page-context.ts';
import { headSection, partiesSection, reasonsSection, referencesSection } from './parties-section.ts';
import { registerCode } from './register-code.ts';
import { historySection, statusSection } from './status-section.ts';
import { notesSection, paymentSection, totalsSection } from './totals-section.ts';

/** To be raised with every change by which the same document gives other bytes. */
export const RENDERER = 20;

const MOST_CHARACTERS = 300;

export type PageOptions = FrameOptions & {
  readonly language: Language;
  readonly isDemo: boolean;
  /** Lets other work have its turn. */
  readonly pause: () => Promise<void>;
};

/** A document as a page that needs nothing else: the same bytes for the same document in the same state. */
export async function documentPage(viewed: ViewedDocument, options: PageOptions): Promise<string> {
  const { language, isDemo, pause } = options;
  const context = pageContext(language);
  const { words } = context;
  const { view, environment } = viewed;
  const unreal = isDemo ? words('demo') : environment === 'test' ? words('test-installation') : null;
  const title = titleOf(viewed, context);
  const body = html`${unreal === null ? null : html`<p class="unreal">${unreal}</p>`}
<h1>${title}</h1>
${statusSection(viewed, context)}
${view === null ? unreadable(viewed, context) : await content({ ...viewed, view }, context, pause)}
${historySection(viewed, context)}
<p class="made">${filled(words('made'), { docUid: html`<span class="code">${viewed.docUid}</span>`, version: RENDERER })}</p>`;
  return documentFrame({ language, title, body }, options);
}

function titleOf({ view, state }: ViewedDocument, { words }: PageContext): string {
  const kind = view?.kind === 'document' ? (view.typeName ?? words('document')) : words(view?.kind ?? 'document');
  const how = view?.amends?.how;
  const number = view === null ? state.document.documentNumber : view.number;
  return `${how === undefined ? '' : `${words(how)}: `}${kind} ${number === null ? words('without-number') : shortText(number, MOST_CHARACTERS)}`;
}

async function content(
  viewed: ViewedDocument & { readonly view: DocumentView },
  context: PageContext,
  pause: () => Promise<void>,
): Promise<Html> {
  const { view } = viewed;
  const lines = await linesSection(view, context, pause);
  return html`${headSection(viewed, context)}
${partiesSection(view, context)}
${referencesSection(view, context)}
${reasonsSection(view, context)}
${view.isCut ? html`<p class="cut">${context.words('texts-cut')}</p>` : null}
${lines}
${totalsSection(view, context)}
${paymentSection(view, context)}
${notesSection(view, context)}`;
}

/** What is known of a document whose file cannot be shown. */
function unreadable(viewed: ViewedDocument, context: PageContext): Html {
  const { language, words } = context;
  const { state } = viewed;
  const { documentNumber, amount, currency } = state.document;
  const [name, edb] =
    state.direction === 'inbound' ? [state.document.senderName, state.document.senderEdb] : [null, null];
  const known = facts([
    [words('sender'), name === null ? null : shortText(name, MOST_CHARACTERS)],
    [words('tax-number'), edb],
    [words('number'), documentNumber === null ? null : shortText(documentNumber, MOST_CHARACTERS)],
    [words('total-payable'), amount === null ? null : `${amountText(language, amount)} ${currency ?? ''}`],
    [words('euid'), viewed.euid],
  ]);
  return html`<section><h2>${words('unreadable')}</h2><p>${words('unreadable-means')}</p></section>
${known === null ? null : html`<section><h2>${words('known-of-it')}</h2>${known}</section>`}
${registerCode(viewed, context)}`;
}
