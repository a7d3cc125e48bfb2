/** Units are free text for the authority; these codes of UN/ECE have a usual Macedonian label. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['C62', 'бр.'],
  ['H87', 'бр.'],
  ['KGM', 'кг'],
  ['LTR', 'л'],
  ['MTR', 'м'],
  ['HUR', 'час'],
  ['DAY', 'ден'],
  ['MON', 'месец'],
]);

export const PIECE = 'бр.';

export function unitLabel(code: string | null): string {
  return code === null ? PIECE : (LABELS.get(code) ?? code);
}
