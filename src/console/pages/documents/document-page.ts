import type { OutboundDetails } from '../../../application/outbound/inspect-outbound.ts';
import type { AuditEntry } from '../../../application/ports/storage/audit-store.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { NEW_STATUS } from '../../../domain/documents/authority-status.ts';
import type { InboundDocument, InboundRepresentation } from '../../../domain/documents/inbound-document.ts';
import type { OutboundDocument, OutboundRepresentation } from '../../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS, transition } from '../../../domain/documents/outbound-status.ts';
import { renderStored } from '../../../domain/messages/render.ts';
import { viewWords } from '../../../domain/messages/view-texts.ts';
import { shortText } from '../../../domain/values/one-line-text.ts';
import { amountText } from '../../../domain/views/shown-numbers.ts';
import { facts } from '../../../http/pages/document/page-context.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import { ROOT } from '../../answers.ts';
import { entriesOfDocument } from '../audit-table.ts';
import { framed } from '../frame.ts';
import { badge, statusTone } from '../marks.ts';
import { type ConsoleView, mayAct } from '../view.ts';
import { nextSection, storySection } from './story.ts';

const MOST_CHARACTERS = 300;
const MOST_WARNINGS = 50;

/** What is there beside the document: its files, its audit entries. */
type Around<Format> = { readonly formats: readonly Format[]; readonly entries: readonly AuditEntry[] };

type OutboundAction = 'retry' | 'cancel' | 'void';

/** What the state of a document allows; whether it still does when it is asked for, the use case decides. */
function actionsFor({
  document,
  void: ownVoid,
}: Pick<OutboundDetails, 'document' | 'void'>): readonly OutboundAction[] {
  const { status, ujp } = document;
  const isRetried = transition(status, 'requeue') !== null || transition(status, 'reopen') !== null;
  const isVoided = ownVoid !== null && ownVoid.state !== 'refused' && ownVoid.state !== 'failed';
  const mayVoid = status === OUTBOUND_STATUS.accepted && ujp?.statusCode === NEW_STATUS && !isVoided;
  const actions: readonly (readonly [OutboundAction, boolean])[] = [
    ['retry', isRetried],
    ['cancel', transition(status, 'cancel') !== null],
    ['void', mayVoid],
  ];
  return actions.filter(([, isPossible]) => isPossible).map(([action]) => action);
}

export function outboundPage(
  view: ConsoleView,
  tenant: Tenant,
  details: OutboundDetails,
  { formats, entries }: Around<OutboundRepresentation>,
): string {
  const { words, language } = view;
  const { document } = details;
  const path = `${ROOT}/documents/outbound/${tenant.edb}/${document.docUid}`;
  const title = titleOf(view, document);
  const actions = mayAct(view) ? actionsFor(details) : [];
  const body = html`<div data-live="document"><div class="title-row"><h1>${title} ${badge(statusTone(document.status), `${document.status} ${viewWords(language)(`outbound-${document.status}`)}`)}</h1>
<p class="choices">${actions.map((action) => html`<a class="act" href="${path}/${action}">${words(action)}</a> `)}</p></div>
${failure(view, document)}${details.isSentDamaged ? html`<p class="trouble">${words('sent-damaged')}</p>` : null}
<div class="split two-one"><div>${nextSection(view, details, tenant)}${storySection(view, details)}</div>
<div>${outboundFacts(view, tenant, document)}${warnings(view, document)}${files(view, path, formats)}</div></div></div>
${invoiceFrame(view, path, title)}
<section><h2>${words('audit-entries')}</h2>${entriesOfDocument(view, document.docUid, entries)}</section>`;
  return framed(view, { title, place: 'documents', body, isLive: true });
}

export function inboundPage(
  view: ConsoleView,
  tenant: Tenant,
  document: InboundDocument,
  { formats, entries }: Around<InboundRepresentation>,
): string {
  const { words, time } = view;
  const path = `${ROOT}/documents/inbound/${tenant.edb}/${document.docUid}`;
  const title = titleOf(view, document);
  const state = document.ackedAt === null ? badge('calm', words('not-imported')) : badge('good', words('imported'));
  const known = facts([
    [words('tenant'), tenantLink(tenant)],
    [words('partner'), short(`${document.senderName ?? ''} ${document.senderEdb ?? ''}`)],
    [words('amount'), money(view, document)],
    [words('time'), time(document.receivedAt)],
    [words('imported'), document.ackedAt === null ? null : time(document.ackedAt)],
    [
      words('authority-status'),
      document.authorityStatus === null
        ? null
        : short(`${document.authorityStatus.code} ${document.authorityStatus.name ?? ''}`),
    ],
    [words('doc-uid'), html`<code>${document.docUid}</code>`],
  ]);
  const body = html`<h1>${title} ${state}</h1>
<div class="split"><section class="panel"><h2>${words('facts')}</h2>${known}</section>${files(view, path, formats)}</div>
${invoiceFrame(view, path, title)}
<section><h2>${words('audit-entries')}</h2>${entriesOfDocument(view, document.docUid, entries)}</section>`;
  return framed(view, { title, place: 'documents', body });
}

function titleOf({ language }: ConsoleView, { documentNumber }: Pick<OutboundDocument, 'documentNumber'>): string {
  return documentNumber === null ? viewWords(language)('without-number') : short(documentNumber);
}

function failure(
  { language }: ConsoleView,
  { failureMessage, failureSentences, failureCode }: OutboundDocument,
): Html | null {
  if (failureMessage === null) return null;
  const text = renderStored(language, failureSentences, failureMessage);
  return html`<p class="trouble">${shortText(text, 2_000)} ${failureCode === null ? null : html`<code>${failureCode}</code>`}</p>`;
}

function outboundFacts(view: ConsoleView, tenant: Tenant, document: OutboundDocument): Html {
  const { words, time } = view;
  const { ujp } = document;
  const status = ujp === null || ujp.statusCode === null ? null : short(`${ujp.statusCode} ${ujp.statusName ?? ''}`);
  const known = facts([
    [words('tenant'), tenantLink(tenant)],
    [words('partner'), document.partnerEdb === null ? null : short(document.partnerEdb)],
    [words('amount'), money(view, document)],
    [words('time'), time(document.createdAt)],
    [words('software'), short(document.software)],
    [words('doc-uid'), html`<code>${document.docUid}</code>`],
    [words('euid'), ujp?.euid == null ? null : html`<code>${ujp.euid}</code>`],
    [words('authority-status'), status],
  ]);
  return html`<section class="panel"><h2>${words('facts')}</h2>${known}</section>`;
}

function warnings({ words, language }: ConsoleView, { warnings: found }: OutboundDocument): Html | null {
  if (found.length === 0) return null;
  const items = found.slice(0, MOST_WARNINGS).map(({ text, sentence }) => {
    const said = renderStored(language, sentence === undefined ? null : [sentence], text);
    return html`<li>${short(said)}</li>\n`;
  });
  return html`<section class="panel"><h2>${words('warnings')}</h2><ul>${items}</ul></section>`;
}

function files(
  { words }: ConsoleView,
  path: string,
  formats: readonly (OutboundRepresentation | InboundRepresentation)[],
): Html {
  const links = formats.map(
    (format) => html`<li><a href="${path}/file/${format}" download>${words(`file-${format}`)}</a></li>\n`,
  );
  return html`<section class="panel"><h2>${words('files')}</h2><ul class="plain">${links}</ul></section>`;
}

/** Without any rights: no script, no form, no way out of its frame. */
function invoiceFrame({ words }: ConsoleView, path: string, title: string): Html {
  return html`<section><div class="title-row"><h2>${words('the-invoice')}</h2><a href="${path}/view">${words('open-page')}</a></div>
<iframe class="invoice" sandbox src="${path}/view" title="${title}" loading="lazy"></iframe></section>`;
}

function tenantLink({ edb, name }: Tenant): Html {
  return html`<a href="${ROOT}/tenants/${edb}">${name}</a> <span class="quiet small">${edb}</span>`;
}

function money(
  { language }: ConsoleView,
  { amount, currency }: Pick<OutboundDocument, 'amount' | 'currency'>,
): string | null {
  return amount === null ? null : short(`${amountText(language, amount)} ${currency ?? ''}`);
}

function short(text: string): string {
  return shortText(text, MOST_CHARACTERS);
}
