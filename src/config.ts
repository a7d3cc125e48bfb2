import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';

export type Config = {
  readonly environment: 'demo' | 'production';
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly opsPort: number;
  readonly simulatorPort: number;
  /** Null until the address the service listens on is known. */
  readonly publicUrl: string | null;
  readonly errorsUrl: string | null;
  readonly dataDir: string;
  readonly deliveryHoldSeconds: number;
  readonly maxDocumentBytes: number;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
  readonly authorityUrls: { readonly test: string | null; readonly production: string | null };
};

export type Variables = Readonly<Record<string, string | undefined>>;

/** Everything that is wrong with the configuration, by name and without the values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is incomplete or wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const HIGHEST_PORT = 65_535;
const MIB = 1_048_576;
/** The parser can take documents up to this size; see the decision on limits. */
const LARGEST_DOCUMENT_LIMIT = 256 * MIB;

export function readConfig(variables: Variables = process.env): Config {
  const read = reader(variables);
  const environment = read.oneOf('ENVIRONMENT', ['demo', 'production'], 'demo');
  const isProduction = environment === 'production';
  if (variables['DATABASE_URL']) read.fault('DATABASE_URL: this release keeps its data in DATA_DIR; leave it unset');
  const port = simulatorPort(read);
  const config: Config = {
    environment,
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8080, 0, HIGHEST_PORT),
    opsPort: read.integer('OPS_PORT', 8081, 0, HIGHEST_PORT),
    simulatorPort: port,
    publicUrl: isProduction
      ? read.requiredUrl('PUBLIC_URL', 'where clients reach the service')
      : read.url('PUBLIC_URL'),
    errorsUrl: read.url('ERRORS_URL'),
    dataDir: resolve(
      isProduction ? read.required('DATA_DIR', 'the folder of the database') : read.text('DATA_DIR', './data'),
    ),
    deliveryHoldSeconds: read.integer('DELIVERY_HOLD_SECONDS', isProduction ? 0 : 20, 0, 86_400),
    maxDocumentBytes: read.integer('MAX_DOCUMENT_BYTES', 10 * MIB, 1, LARGEST_DOCUMENT_LIMIT),
    trustedProxies: read.addresses('TRUST_PROXY'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, isProduction ? 'info' : 'warn'),
    authorityUrls: isProduction ? configuredAuthority(read) : simulatedAuthority(read, port),
  };
  read.throwIfFaulty();
  Object.freeze(config.authorityUrls);
  Object.freeze(config.trustedProxies);
  return Object.freeze(config);
}

function configuredAuthority(read: Reader): Config['authorityUrls'] {
  return {
    test: read.url('AUTHORITY_TEST_URL'),
    production: read.requiredUrl('AUTHORITY_PRODUCTION_URL', "the root of the authority's query services"),
  };
}

function simulatedAuthority(read: Reader, port: number): Config['authorityUrls'] {
  for (const name of ['AUTHORITY_TEST_URL', 'AUTHORITY_PRODUCTION_URL']) {
    if (read.url(name) !== null) read.fault(`${name}: the demo environment brings its own authority; leave it unset`);
  }
  return {
    test: `http://127.0.0.1:${port}/einvoice_api`,
    production: `http://127.0.0.1:${port + 1}/einvoice_api`,
  };
}

/** One below the highest: the second installation listens on the port above it. */
function simulatorPort(read: Reader): number {
  return read.integer('SIMULATOR_PORT', 8090, 0, HIGHEST_PORT - 1);
}

type Reader = ReturnType<typeof reader>;

function reader(variables: Variables) {
  const faults: string[] = [];
  const given = (name: string) => variables[name]?.trim() || null;

  function url(name: string): string | null {
    const text = given(name);
    if (text === null) return null;
    if (!/^https?:\/\//u.test(text) || !URL.canParse(text)) {
      faults.push(`${name}: must be an address that begins with http:// or https://`);
    }
    return text.replace(/\/+$/u, '');
  }

  function required(name: string, meaning: string): string {
    const text = given(name);
    if (text === null) faults.push(`${name}: missing (${meaning})`);
    return text ?? '';
  }

  return {
    url,
    required,
    fault: (text: string) => void faults.push(text),
    requiredUrl: (name: string, meaning: string) => (required(name, meaning) === '' ? null : url(name)),
    text: (name: string, standard: string) => given(name) ?? standard,
    integer(name: string, standard: number, lowest: number, highest: number): number {
      const text = given(name);
      if (text === null) return standard;
      const value = Number(text);
      if (/^\d+$/u.test(text) && value >= lowest && value <= highest) return value;
      faults.push(`${name}: must be a whole number from ${lowest} to ${highest}`);
      return standard;
    },
    oneOf<Choice extends string>(name: string, choices: readonly Choice[], standard: Choice): Choice {
      const text = given(name);
      if (text === null) return standard;
      const choice = choices.find((candidate) => candidate === text);
      if (choice === undefined) faults.push(`${name}: must be one of ${choices.join(', ')}`);
      return choice ?? standard;
    },
    addresses(name: string): readonly string[] {
      const entries = (given(name) ?? '').split(/[\s,]+/u).filter((entry) => entry !== '');
      if (!entries.every(isAddressOrRange))
        faults.push(`${name}: must list addresses or CIDR ranges of trusted proxies`);
      return entries;
    },
    throwIfFaulty(): void {
      if (faults.length > 0) throw new ConfigError(faults);
    },
  };
}

function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
    return /^\d+$/u.test(prefix);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
