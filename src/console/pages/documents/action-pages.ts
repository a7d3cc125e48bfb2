import type { OutboundDetails } from '../../../application/outbound/inspect-outbound.ts';
import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import type { CodeListEntry } from '../../../domain/values/code-list.ts';
import { shortText } from '../../../domain/values/one-line-text.ts';
import { html } from '../../../http/pages/html.ts';
import { filled } from '../../../http/pages/page.ts';
import { ROOT } from '../../answers.ts';
import { confirmPage } from '../confirm-page.ts';
import type { ConsoleView } from '../view.ts';

const MOST_CHARACTERS = 100;

export function pathOf({ tenant, document }: Pick<OutboundDetails, 'tenant' | 'document'>): string {
  return `${ROOT}/documents/outbound/${tenant}/${document.docUid}`;
}

function numberOf({ document }: OutboundDetails) {
  return { number: shortText(document.documentNumber ?? document.docUid, MOST_CHARACTERS) };
}

export function retryPage(view: ConsoleView, details: OutboundDetails): string {
  const { words } = view;
  const { status } = details.document;
  const isRejected = status === OUTBOUND_STATUS.rejected;
  return confirmPage(view, {
    place: 'documents',
    title: filled(words('retry-document'), numberOf(details)),
    says: isRejected ? [words('retry-rejected-means')] : [words('retry-failed-means'), words('retry-once-means')],
    does: words('retry'),
    fields: html`<input type="hidden" name="status" value="${status}">`,
    back: pathOf(details),
  });
}

export function cancelPage(view: ConsoleView, details: OutboundDetails): string {
  const { words } = view;
  return confirmPage(view, {
    place: 'documents',
    title: filled(words('cancel-document'), numberOf(details)),
    says: [words('cancel-means'), words('cancel-for-ever')],
    does: words('cancel'),
    back: pathOf(details),
  });
}

export function voidPage(view: ConsoleView, details: OutboundDetails, reasons: readonly CodeListEntry[]): string {
  const { words } = view;
  const options = reasons.map(
    ({ code, name }) => html`<option value="${code}">${code} ${shortText(name, MOST_CHARACTERS)}</option>`,
  );
  const fields = html`<label for="reason">${words('void-reason')}</label><select id="reason" name="reason" required>${options}</select>
<label for="comment">${words('void-comment')}</label><input id="comment" name="comment" maxlength="250">`;
  return confirmPage(view, {
    place: 'documents',
    title: filled(words('void-document'), numberOf(details)),
    says: [words('void-means'), words('void-for-ever')],
    does: words('void'),
    fields,
    back: pathOf(details),
  });
}
