import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { message } from '../../../../domain/messages/message.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import { excerpt, notExpressible } from '../conversion-failure.ts';
import { correctionReasonDirective } from '../directives.ts';
import type { UjpCorrectionReason } from '../payload.ts';
import { CHOSEN_LENGTH, shortenedIfAny } from '../text-limits.ts';

/** The authority requires a reason for a correction; on an invoice UBL has no element for it. */
export function correctionReason(
  content: InvoiceContent,
  reasons: readonly CodeListEntry[],
  warnings: ConversionWarning[],
): UjpCorrectionReason {
  const stated = correctionReasonDirective(content);
  if (stated === null) {
    const element = "cac:AdditionalDocumentReference/cbc:ID[@schemeID='UJP:correctionReason']";
    notExpressible(message('correction-reason-missing', { element }), content.path);
  }
  const reason = reasons.find(({ code }) => code === stated.value);
  if (reason === undefined) {
    const values = { code: excerpt(stated.value), list: 'correction-reasons' };
    notExpressible(message('correction-reason-unlisted', values), stated.path);
  }
  const place = { what: message('text-correction-comment'), path: stated.path };
  return {
    correctionReasonCode: reason.code,
    correctionReason: reason.name,
    correctionReasonComment: shortenedIfAny(stated.comment, CHOSEN_LENGTH.text, place, warnings),
  };
}
