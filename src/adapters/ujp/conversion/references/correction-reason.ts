import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import { notExpressible, quoted } from '../conversion-failure.ts';
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
    const how = "state its code as cac:AdditionalDocumentReference/cbc:ID with schemeID 'UJP:correctionReason'";
    notExpressible(`The reason for the correction is missing; ${how}`, content.path);
  }
  const reason = reasons.find(({ code }) => code === stated.value);
  if (reason === undefined) {
    notExpressible(`The correction reason ${quoted(stated.value)} is not in the authority's list`, stated.path);
  }
  const place = { what: 'comment on the correction', path: stated.path };
  return {
    correctionReasonCode: reason.code,
    correctionReason: reason.name,
    correctionReasonComment: shortenedIfAny(stated.comment, CHOSEN_LENGTH.text, place, warnings),
  };
}
