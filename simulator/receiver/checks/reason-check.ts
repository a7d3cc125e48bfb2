import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import type { SignedPayload } from './document-schema.ts';

/**
 * The authority's published reference, §3.1, §4.7 and §4.8. No code is published for an unknown correction reason: E1031 is chosen.
 * Reasons must be in force today, not on the date of the document, because they are given today.
 */
export function checkReasons(
  { document, voidReason, correctionReason }: SignedPayload,
  lists: ListsInForce,
): readonly Finding[] {
  const { docStorno } = document.header;
  const findings: Finding[] = [];
  if (docStorno !== 1 && voidReason) {
    findings.push({ code: 'E1025', message: 'Only a void has a void reason', parameter: 'voidReason' });
  }
  if (docStorno !== 2 && correctionReason) {
    const message = 'Only a correction has a correction reason';
    findings.push({ code: 'E1031', message, parameter: 'correctionReason' });
  }
  if (docStorno === 1 && voidReason) {
    const known = lists.find('void-reasons', voidReason.voidCode);
    if (known?.voidReason !== voidReason.voidReason) {
      const message = `Void reason ${voidReason.voidCode} '${voidReason.voidReason}' not found`;
      findings.push({ code: 'E1006', message, parameter: 'voidReason.voidCode' });
    }
  }
  if (docStorno === 2 && correctionReason) {
    const known = lists.find('correction-reason', correctionReason.correctionReasonCode);
    if (known?.correctionReason !== correctionReason.correctionReason) {
      const message = `Correction reason ${correctionReason.correctionReasonCode} '${correctionReason.correctionReason}' not found`;
      findings.push({ code: 'E1031', message, parameter: 'correctionReason.correctionReasonCode' });
    }
  }
  return findings;
}
