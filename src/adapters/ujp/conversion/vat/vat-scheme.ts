import { shapeOf } from '../served-code.ts';

const VAT: ReadonlySet<string> = new Set(['VAT', 'DDV', 'ДДВ'].map(shapeOf));

/** Whether a tax scheme is value added tax; one that is not named is taken for it. */
export function isVat(scheme: string | null): boolean {
  return scheme === null || VAT.has(shapeOf(scheme));
}
