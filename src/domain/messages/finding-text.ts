import type { Language } from './languages.ts';
import type { Message } from './message.ts';
import { recordedText } from './recorded-text.ts';
import { words } from './render.ts';

/**
 * What an account check found, in a language. Its value `reason` is a text that is on record in English, and `name` that of a company: such
 * a text ends as it does, anything else with a full stop.
 */
export function findingText(language: Language, { key, values }: Message): string {
  const { reason, name } = values;
  if (typeof reason === 'string')
    return words(language, { key, values: { ...values, reason: recordedText(language, reason) } });
  return `${words(language, { key, values })}${name === undefined ? '.' : ''}`;
}
