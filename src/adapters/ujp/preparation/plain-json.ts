/** Known to V8, not yet to the compiler's library: a text that `JSON.stringify` takes as it is. */
type RawJson = { readonly rawJSON: (text: string) => unknown };

/** What a number with an exponent looks like; a text may look so too. */
const EXPONENT = /\de[+-]\d/u;

/**
 * JSON in which every number is a plain decimal. `JSON.stringify` writes numbers below a millionth with an exponent (`1e-7`), which
 * the authority documents nowhere.
 */
export function plainJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!EXPONENT.test(text)) return text;
  const { rawJSON } = JSON as typeof JSON & RawJson;
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'number' || !String(member).includes('e')) return member;
    return rawJSON(withoutExponent(String(member)));
  });
}

/** `-1.5e-7` is -0.00000015, `1.5e+21` is 1500000000000000000000. */
function withoutExponent(text: string): string {
  const [mantissa = '', exponent = ''] = text.split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const moved = Number(exponent);
  const plain = moved < 0 ? `0.${'0'.repeat(-moved - 1)}${whole}${fraction}` : `${whole}${fraction.padEnd(moved, '0')}`;
  return `${sign}${plain}`;
}
