import type { DryRunResult } from '../../../application/ports/validation/dry-run.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import type { ConversionContext } from '../conversion/conversion-context.ts';
import { rehearseConversion } from '../conversion/convert.ts';
import { previewOfPayload } from './preview-of-payload.ts';

/** Everything that a conversion would end with or warn of, and what would be registered. */
export function rehearse(content: InvoiceContent, context: ConversionContext): DryRunResult {
  const { failures, payload, warnings } = rehearseConversion(content, context);
  return { failures, warnings, preview: payload === null ? null : previewOfPayload(payload) };
}
