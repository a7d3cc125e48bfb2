/** Foreign text as one line, without control characters that a terminal would act on. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}
