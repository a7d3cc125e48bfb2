/** Half a line feed of somebody else's text must not forge a line of our log, nor a NUL spoil a database. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/gu;

/** A text from an answer in one line of bounded length; null where there is none. */
export function boundedText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value.slice(0, maxLength).replace(CONTROLS, ' ').trim();
  return text === '' ? null : text.toWellFormed();
}
