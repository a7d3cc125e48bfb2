import type { Table } from '../table.ts';
import type { Screen } from './screen.ts';

/** What a command prints: parts with an empty line between them. */
export type OutputText = string | Table | readonly (string | Table)[];

export function outputText(text: OutputText, screen: Screen): string {
  const parts: readonly (string | Table)[] = typeof text === 'string' || 'on' in text ? [text] : text;
  return parts.map((part) => (typeof part === 'string' ? part : part.on(screen))).join('\n\n');
}
