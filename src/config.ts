import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';

export type Config = {
  readonly environment: 'demo' | 'production';
  /** What this process does: serve the interface, deliver in the background, or both. */
  readonly role: 'api' | 'worker' | 'all';
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly opsPort: number;
  readonly simulatorPort: number;
  /** Null until the address the service listens on is known. */
  readonly publicUrl: string | null;
  readonly errorsUrl: string | null;
  readonly dataDir: string;
  /** Where PostgreSQL is, with its password; null for the embedded database in the folder. */
  readonly databaseUrl: string | null;
  /** Connections of this process to PostgreSQL at most. */
  readonly databasePoolSize: number;
  readonly deliveryHoldSeconds: number;
  /** How long a document stays with a worker that gives no sign of life. */
  readonly leaseSeconds: number;
  readonly maxDocumentBytes: number;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
  /** Null where an installation is not configured. */
  readonly authorityUrls: { readonly test: AuthorityUrls | null; readonly production: AuthorityUrls | null };
  /** How long lies between two requests in the name of the same user; 0 for no limit. */
  readonly authorityPaceMs: number;
  /** How long an answer to a document that was sent is waited for. */
  readonly authorityTimeoutSeconds: number;
  /** How long after it was sent a request can still be carried out; before that, silence proves nothing. */
  readonly outcomeWindowSeconds: number;
  /** How often the authority is asked for what has arrived, and for what became of registered documents. */
  readonly collectSeconds: number;
  readonly followSeconds: number;
  /** Seal private keys: the first one seals, every one opens. Null in a demo that makes its own. */
  readonly credentialsKeys: readonly string[] | null;
};

/** Where an installation of the authority is reached. None is derived from another: the authority may move each. */
export type AuthorityUrls = {
  /** Root of its query services. */
  readonly query: string;
  /** Root of the receiver of documents. */
  readonly receiver: string;
  /** Where QR codes lead. */
  readonly portal: string;
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
/** PostgreSQL's driver takes files up to this size. */
const LARGEST_LIMIT_ON_POSTGRES = 255 * MIB;

export function readConfig(variables: Variables = process.env): Config {
  const read = reader(variables);
  const environment = read.oneOf('ENVIRONMENT', ['demo', 'production'], 'demo');
  const isProduction = environment === 'production';
  const databaseUrl = read.postgresUrl('DATABASE_URL');
  const port = simulatorPort(read);
  const config: Config = {
    environment,
    role: read.oneOf('ROLE', ['api', 'worker', 'all'], 'all'),
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8080, 0, HIGHEST_PORT),
    opsPort: read.integer('OPS_PORT', 8081, 0, HIGHEST_PORT),
    simulatorPort: port,
    publicUrl: isProduction
      ? read.requiredUrl('PUBLIC_URL', 'where clients reach the service')
      : read.url('PUBLIC_URL'),
    errorsUrl: read.url('ERRORS_URL'),
    dataDir: resolve(
      isProduction && databaseUrl === null
        ? read.required('DATA_DIR', 'the folder of the database, unless DATABASE_URL names one')
        : read.text('DATA_DIR', './data'),
    ),
    databaseUrl,
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 1, 1_000),
    deliveryHoldSeconds: read.integer('DELIVERY_HOLD_SECONDS', isProduction ? 0 : 20, 0, 86_400),
    leaseSeconds: read.integer('LEASE_SECONDS', 60, 1, 3_600),
    maxDocumentBytes: read.integer(
      'MAX_DOCUMENT_BYTES',
      10 * MIB,
      1,
      databaseUrl === null ? LARGEST_DOCUMENT_LIMIT : LARGEST_LIMIT_ON_POSTGRES,
    ),
    trustedProxies: read.addresses('TRUST_PROXY'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, isProduction ? 'info' : 'warn'),
    authorityUrls: isProduction ? configuredAuthority(read) : simulatedAuthority(read, port),
    // A little more than the second that the authority asks for: requests may come closer together than they left.
    authorityPaceMs: read.integer('AUTHORITY_PACE_MS', 1_050, 0, 60_000),
    authorityTimeoutSeconds: read.integer('AUTHORITY_TIMEOUT_SECONDS', isProduction ? 30 : 10, 1, 300),
    // The authority carries nothing out that was signed more than five minutes ago.
    outcomeWindowSeconds: read.integer('OUTCOME_WINDOW_SECONDS', isProduction ? 330 : 15, 1, 86_400),
    collectSeconds: read.integer('COLLECT_SECONDS', isProduction ? 300 : 10, 1, 86_400),
    followSeconds: read.integer('FOLLOW_SECONDS', isProduction ? 900 : 10, 1, 86_400),
    credentialsKeys: read.keys('CREDENTIALS_KEY', isProduction),
  };
  read.throwIfFaulty();
  for (const urls of Object.values(config.authorityUrls)) Object.freeze(urls);
  Object.freeze(config.authorityUrls);
  Object.freeze(config.trustedProxies);
  Object.freeze(config.credentialsKeys);
  return Object.freeze(config);
}

function configuredAuthority(read: Reader): Config['authorityUrls'] {
  const isTestUsed = ['URL', 'RECEIVER_URL', 'PORTAL_URL'].some((part) => read.url(`AUTHORITY_TEST_${part}`) !== null);
  return {
    test: isTestUsed ? authorityUrls(read, 'AUTHORITY_TEST') : null,
    production: authorityUrls(read, 'AUTHORITY_PRODUCTION'),
  };
}

function authorityUrls(read: Reader, name: string): AuthorityUrls {
  return {
    query: read.requiredUrl(`${name}_URL`, "the root of the authority's query services"),
    receiver: read.requiredUrl(`${name}_RECEIVER_URL`, "the root of the authority's receiver of documents"),
    portal: read.requiredUrl(`${name}_PORTAL_URL`, 'where the QR codes of registered documents lead'),
  };
}

function simulatedAuthority(read: Reader, port: number): Config['authorityUrls'] {
  for (const environment of ['TEST', 'PRODUCTION']) {
    for (const part of ['URL', 'RECEIVER_URL', 'PORTAL_URL']) {
      const name = `AUTHORITY_${environment}_${part}`;
      if (read.url(name) !== null) read.fault(`${name}: the demo environment brings its own authority; leave it unset`);
    }
  }
  return { test: simulatedUrls(port), production: simulatedUrls(port + 1) };
}

function simulatedUrls(port: number): AuthorityUrls {
  const portal = `http://127.0.0.1:${port}`;
  return { query: `${portal}/einvoice_api`, receiver: `${portal}/JSONReceiver`, portal };
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

  function postgresUrl(name: string): string | null {
    const text = given(name);
    if (text !== null && (!/^postgres(?:ql)?:\/\//u.test(text) || !URL.canParse(text))) {
      faults.push(`${name}: must be an address that begins with postgres://`);
    }
    return text;
  }

  function required(name: string, meaning: string): string {
    const text = given(name);
    if (text === null) faults.push(`${name}: missing (${meaning})`);
    return text ?? '';
  }

  return {
    url,
    postgresUrl,
    required,
    fault: (text: string) => void faults.push(text),
    requiredUrl: (name: string, meaning: string) => (required(name, meaning) === '' ? '' : (url(name) ?? '')),
    /** Keys of 32 bytes in base64, the newest first. */
    keys(name: string, isRequired: boolean): readonly string[] | null {
      if (isRequired) required(name, '32 random bytes in base64, by which private keys are sealed');
      const keys = (given(name) ?? '').split(/[\s,]+/u).filter((key) => key !== '');
      if (!keys.every((key) => /^[\w+/-]{43}=?$/u.test(key))) faults.push(`${name}: must be 32 bytes in base64`);
      return keys.length === 0 ? null : keys;
    },
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
