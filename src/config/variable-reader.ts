import { resolve } from 'node:path';
import { parseAddressRange } from '../domain/values/address-range.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Lists every variable that is missing or wrong, by name; never the values, which may be secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(`The configuration is incomplete or wrong:\n${errors.map((error) => `  - ${error}`).join('\n')}`);
    this.errors = errors;
  }
}

/** A base is an address that others begin with. One that is no secret is in the log, and clients may see it. */
type UrlKind = { readonly isBase: boolean; readonly isSecret: boolean };

const POSTGRES_ADDRESS =
  'must be the address of one server, as postgres://dostava:password@db.internal/dostava; # / ? % in a password are written %23 %2F %3F %25';

const SHOWN_BASE: UrlKind = { isBase: true, isSecret: false };
const KEY_MEANING = '32 random bytes in base64, to seal private keys with';

export type VariableReader = ReturnType<typeof variableReader>;

/** Reads variables one by one and collects what is wrong with them. */
export function variableReader(variables: Variables) {
  const errors: string[] = [];
  const given = (name: string) => variables[name]?.trim() || null;

  function url(name: string, kind = SHOWN_BASE): string | null {
    const text = given(name);
    if (text === null) return null;
    const fault = urlFault(text, kind);
    if (fault !== null) errors.push(`${name}: ${fault}`);
    return text.replace(/(?<!\/)\/+$/u, '');
  }

  function postgresUrl(name: string): string | null {
    const text = given(name);
    if (text !== null && (!/^postgres(?:ql)?:\/\//u.test(text) || !URL.canParse(text))) {
      errors.push(`${name}: ${POSTGRES_ADDRESS}`);
    }
    return text;
  }

  function required(name: string, meaning: string): string {
    const text = given(name);
    if (text === null) errors.push(`${name}: missing (${meaning})`);
    return text ?? '';
  }

  return {
    url: (name: string) => url(name),
    secretUrl: (name: string) => url(name, { isBase: true, isSecret: true }),
    /** A secret one that is asked as it is, and may have a query. */
    endpointUrl: (name: string) => url(name, { isBase: false, isSecret: true }),
    postgresUrl,
    required,
    error: (text: string) => void errors.push(text),
    requiredUrl: (name: string, meaning: string) => (required(name, meaning) === '' ? '' : (url(name) ?? '')),
    /** Keys of 32 bytes in base64, the newest first. */
    keys(name: string, isRequired: boolean): readonly string[] | null {
      const keys = (given(name) ?? '').split(/[\s,]+/u).filter((key) => key !== '');
      // Commas alone are what is left of two variables of a template that are not set.
      if (isRequired && keys.length === 0) errors.push(`${name}: missing (${KEY_MEANING})`);
      const isReadable = keys.every((key) => /^[\w+/-]{43}=?$/u.test(key));
      if (!isReadable) errors.push(`${name}: must be 32 bytes in base64`);
      return keys.length === 0 || !isReadable ? null : keys;
    },
    folder(name: string): string | null {
      const text = given(name);
      return text === null ? null : resolve(text);
    },
    isPlainHttp: (name: string) => /^http:\/\//iu.test(given(name) ?? ''),
    /** Whether the variable has the one value that accepts a risk. */
    acceptedRisk(name: string, value: string): boolean {
      const text = given(name);
      if (text !== null && text !== value) errors.push(`${name}: must be ${value}, or not set`);
      return text !== null;
    },
    text: (name: string, defaultValue: string) => given(name) ?? defaultValue,
    integer(name: string, defaultValue: number, lowest: number, highest: number): number {
      const text = given(name);
      if (text === null) return defaultValue;
      const value = Number(text);
      if (/^\d+$/u.test(text) && value >= lowest && value <= highest) return value;
      errors.push(`${name}: must be a whole number from ${lowest} to ${highest}`);
      return defaultValue;
    },
    oneOf<Choice extends string>(name: string, choices: readonly Choice[], defaultValue: Choice): Choice {
      const text = given(name);
      if (text === null) return defaultValue;
      const choice = choices.find((candidate) => candidate === text);
      if (choice === undefined) errors.push(`${name}: must be one of ${choices.join(', ')}`);
      return choice ?? defaultValue;
    },
    addresses(name: string): readonly string[] {
      const entries = (given(name) ?? '').split(/[\s,]+/u).filter((entry) => entry !== '');
      if (!entries.every((entry) => parseAddressRange(entry) !== null))
        errors.push(`${name}: must list addresses or CIDR ranges of trusted proxies`);
      return entries;
    },
    throwIfInvalid(): void {
      if (errors.length > 0) throw new ConfigError(errors);
    },
  };
}

function urlFault(text: string, { isBase, isSecret }: UrlKind): string | null {
  const parsed = /^https?:\/\//u.test(text) ? URL.parse(text) : null;
  if (parsed === null) return 'must be an address that begins with http:// or https://';
  if (isBase && /[?#]/u.test(text))
    return 'must have no query (?) and no fragment (#), because paths are put behind it';
  if (isSecret || `${parsed.username}${parsed.password}` === '') return null;
  return 'must have no user name and no password, because the log and clients show it';
}
