import type { ConversionWarning, ConversionWarningCode } from '../../../../domain/documents/conversion-warning.ts';
import type { Message } from '../../../../domain/messages/message.ts';
import { warning } from '../conversion-failure.ts';

export type VatWarnings = (code: ConversionWarningCode, reason: Message, path: string) => void;

/** Each sentence once, at its first place: lines may spell the same tax category in several ways (0, 0.00 or no rate at all). */
export function createVatWarnings(warnings: ConversionWarning[]): VatWarnings {
  const said = new Set<string>();
  return (code, reason, path) => {
    const sentence = JSON.stringify([code, reason]);
    if (said.has(sentence)) return;
    said.add(sentence);
    warnings.push(warning(code, reason, path));
  };
}
