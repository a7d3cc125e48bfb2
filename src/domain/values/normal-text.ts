/**
 * A text as documents are read and compared by it: trimmed, with line breaks and tabs replaced by spaces as in `xs:normalizedString`; null
 * for a blank text. Other blanks inside, such as a no-break space, stay: a number is sent, kept and looked for in one and the same form.
 */
export function normalText(text: string): string | null {
  const normal = text.trim().replace(/[\t\n\r]/gu, ' ');
  return normal === '' ? null : normal;
}
