import type { EXPLANATIONS } from './en/error-codes.ts';

type Explanation = Readonly<Record<'title' | 'happened' | 'remedy' | 'retry', string>>;

/**
 * What a translation says of every error code. The title of an answer is English and part of the contract; a page says
 * what it means.
 */
export type Explanations = Readonly<Record<keyof typeof EXPLANATIONS, Explanation>>;
