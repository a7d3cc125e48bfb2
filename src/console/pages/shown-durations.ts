import { consoleWords } from '../../domain/messages/console-texts.ts';
import type { Language } from '../../domain/messages/languages.ts';
import { counted } from '../../domain/messages/message.ts';
import { quantityText } from '../../domain/views/shown-numbers.ts';

const UNITS = [
  { key: 'unit-days', ms: 86_400_000 },
  { key: 'unit-hours', ms: 3_600_000 },
  { key: 'unit-minutes', ms: 60_000 },
  { key: 'unit-seconds', ms: 1_000 },
] as const;

/** Two of a unit and more are shown in it, so that nothing is rounded away. */
export function durationText(language: Language, ms: number): string {
  const unit = UNITS.find((one) => ms >= 2 * one.ms) ?? UNITS[3];
  const amount = ms / unit.ms;
  const shown = amount < 10 ? amount.toFixed(1).replace(/\.0$/u, '') : String(Math.round(amount));
  const words = consoleWords(language);
  const time = quantityText(language, shown);
  return unit.key === 'unit-days'
    ? counted(time, words('unit-day'), words('unit-days'), language)
    : `${time} ${words(unit.key)}`;
}
