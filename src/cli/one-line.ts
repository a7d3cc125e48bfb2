import { oneLineText } from '../domain/values/one-line-text.ts';

/** Foreign text as one line that does not act on the terminal, in full: its length was bounded when it was stored. */
export function oneLine(text: string): string {
  return oneLineText(text, text.length) ?? '';
}
