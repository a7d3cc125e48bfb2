import type { Edb } from '../domain/accounts/edb.ts';
import {
  AUTHORITY_ENVIRONMENTS,
  type AuthorityEnvironment,
  REVERSE_CHARGE_RATES,
  type ReverseChargeRate,
} from '../domain/accounts/tenant.ts';
import { type DocUid, parseDocUid } from '../domain/documents/doc-uid.ts';
import { LANGUAGES, type Language } from '../domain/messages/languages.ts';
import { formatInstant } from '../domain/values/instant.ts';
import { parseTimeLimit } from '../domain/values/skopje-day.ts';
import { UsageError } from './command.ts';

/** So many hours are still a date, and so many calls an integer of every engine. */
const HIGHEST_VALUE = 999_999_999;

const MOST_NAMED = 10;

/**
 * Option values: null when the option is not given, a UsageError when its value cannot be read. A day without a time is its first or its last
 * instant in Skopje, as in the API.
 */
export function readTimeLimit(name: string, text: string | null, bound: 'from' | 'to'): number | null {
  if (text === null) return null;
  const value = parseTimeLimit(text, bound);
  if (value === null) {
    throw new UsageError(
      `--${name} must be a date-time such as 2027-01-31T00:00:00Z, or a day in Skopje such as 2027-01-31.`,
    );
  }
  return value;
}

export function readDocUidValue(name: string, text: string | null): DocUid | null {
  if (text === null) return null;
  const docUid = parseDocUid(text);
  if (docUid === null) throw new UsageError(`--${name} must be a docUid such as 01890a5d-ac96-774b-bcce-b302099a8057.`);
  return docUid;
}

export function readPositiveValue(name: string, text: string | null): number | null {
  if (text === null) return null;
  const value = Number(text);
  if (/^[1-9]\d*$/u.test(text) && value <= HIGHEST_VALUE) return value;
  throw new UsageError(`--${name} must be a whole number from 1 to ${HIGHEST_VALUE}.`);
}

export function readSwitchValue(name: string, text: string | null): boolean | null {
  if (text === null) return null;
  if (text !== 'on' && text !== 'off') throw new UsageError(`--${name} must be on or off.`);
  return text === 'on';
}

export function readYesValue(name: string, text: string | null): boolean | null {
  if (text === null) return null;
  if (text !== 'yes' && text !== 'no') throw new UsageError(`--${name} must be yes or no.`);
  return text === 'yes';
}

export function readReverseChargeRate(name: string, text: string | null): ReverseChargeRate | null {
  if (text === null) return null;
  const rate = REVERSE_CHARGE_RATES.find((known) => String(known) === text);
  if (rate === undefined) throw new UsageError(`--${name} must be ${REVERSE_CHARGE_RATES.join(', ')}.`);
  return rate;
}

export function readLanguageValue(name: string, text: string | null): Language | null {
  if (text === null) return null;
  const language = LANGUAGES.find((known) => known === text);
  if (language === undefined) throw new UsageError(`--${name} must be ${LANGUAGES.join(' or ')}.`);
  return language;
}

export function readEnvironmentValue(text: string | null, name = 'environment'): AuthorityEnvironment | null {
  if (text === null) return null;
  const environment = AUTHORITY_ENVIRONMENTS.find((candidate) => candidate === text);
  if (environment === undefined) throw new UsageError(`--${name} must be ${AUTHORITY_ENVIRONMENTS.join(' or ')}.`);
  return environment;
}

export function showInstant(timeMs: number | null): string | null {
  return timeMs === null ? null : formatInstant(timeMs);
}

/** In a sentence: the first of them, and how many there are beyond. JSON has them all. */
export function showTaxpayers(taxpayers: readonly Edb[]): string {
  const named = taxpayers.slice(0, MOST_NAMED).join(', ');
  return taxpayers.length > MOST_NAMED ? `${named} and ${taxpayers.length - MOST_NAMED} more` : named;
}
