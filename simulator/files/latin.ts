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

/** Macedonian in Latin letters, as in passports. Characters that the standard fonts of PDF lack become question marks. */
export function inLatin(text: string): string {
  return [...text].map((letter) => LETTERS.get(letter) ?? (/^[ -~]$/u.test(letter) ? letter : '?')).join('');
}
