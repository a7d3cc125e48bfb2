import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { type Message, message } from '../../../../domain/messages/message.ts';
import { inEnglish } from '../../../../domain/messages/render.ts';
import { excerptOfName } from '../conversion-failure.ts';

/** The line that an element belongs to, as its author finds it: by its number and the name of its item. */
export function lineAt({ lines }: InvoiceContent, path: string): Message | null {
  const index = lines.findIndex((line) => path === line.path || path.startsWith(`${line.path}/`));
  const line = lines[index];
  if (line === undefined) return null;
  const number = excerptOfName(line.id ?? String(index + 1));
  const { name } = line.item;
  return name === null
    ? message('line-numbered', { number })
    : message('line-named', { number, item: excerptOfName(name) });
}

/** Each search goes through all lines, so it is for the few warnings that are kept. */
export function namingLines(
  content: InvoiceContent,
  warnings: readonly ConversionWarning[],
): readonly ConversionWarning[] {
  return warnings.map((warning) => {
    const { path, sentence } = warning;
    const line = path === null ? null : lineAt(content, path);
    if (line === null || sentence === undefined) return warning;
    const placed = { ...sentence, line };
    return { ...warning, text: inEnglish(placed), sentence: placed };
  });
}
