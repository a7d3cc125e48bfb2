/** Text that is HTML already. Only `html` makes it, so that nothing reaches a page without being escaped. */
class HtmlText {
  readonly #text: string;

  constructor(strings: readonly string[], parts: readonly Part[]) {
    this.#text = strings.map((text, index) => text + asHtml(parts[index] ?? null)).join('');
  }

  toString(): string {
    return this.#text;
  }
}

export type Html = HtmlText;

/** What stands in a template: HTML as it is, any other text escaped; null is nothing. */
export type Part = Html | string | number | null | readonly Part[];

/** HTML with its parts escaped. Attributes must be in quotation marks. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new HtmlText(strings, parts);
}

function asHtml(part: Part): string {
  if (part === null) return '';
  if (part instanceof HtmlText) return part.toString();
  if (typeof part === 'object') return part.map(asHtml).join('');
  return escapeHtml(String(part));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
