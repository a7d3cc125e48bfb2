const CYRILLIC = 'АБВГДЃЕЖЗЅИЈКЛЉМНЊОПРСТЌУФХЦЧЏШ';
const LATIN = 'A B V G D Gj E Zh Z Dz I J K L Lj M N Nj O P R S T Kj U F H C Ch Dj Sh'.split(' ');

const LETTERS = new Map<string, string>(
  [...CYRILLIC].flatMap((letter, index) => {
    const latin = LATIN[index] ?? '';
    return [
      [letter, latin],
      [letter.toLowerCase(), latin.toLowerCase()],
    ];
  }),
);

/** Macedonian in Latin letters, as on a passport; what the fonts of every PDF reader cannot show becomes a question mark. */
export function inLatin(text: string): string {
  return [...text].map((letter) => LETTERS.get(letter) ?? (/^[ -~]$/u.test(letter) ? letter : '?')).join('');
}
