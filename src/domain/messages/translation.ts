/** The names in braces of a text: `'{stated}, but {days|day|days}'` has `stated` and `days`. */
export type ValueNames<Text extends string> = Text extends `${string}{${infer Value}}${infer Rest}`
  ? NameOf<Value> | ValueNames<Rest>
  : never;

type NameOf<Value extends string> = Value extends `${infer Name}|${string}` ? Name : Value;

type SameNames<Text extends string, English extends string> = [ValueNames<Text>, ValueNames<English>] extends [
  ValueNames<English>,
  ValueNames<Text>,
]
  ? Text
  : `the values must be those of the English text: {${ValueNames<English>}}`;

type Checked<English extends Readonly<Record<string, string>>, Texts> = {
  readonly [Key in keyof Texts]: Key extends keyof English
    ? Texts[Key] extends string
      ? SameNames<Texts[Key], English[Key]>
      : never
    : never;
};

/**
 * The texts of a language. Texts with a missing or unknown key, or with other values in braces than the English ones have, do not
 * compile.
 */
export function translationOf<
  const English extends Readonly<Record<string, string>>,
  const Texts extends Readonly<Record<keyof English, string>>,
>(_english: English, texts: Texts & Checked<English, Texts>): Texts {
  return texts;
}
