import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import {
  AUTHORITY_URL_NAMES,
  type AuthorityUrls,
  configuredAuthority,
  type Installations,
  simulatedAuthority,
} from './config/authority-urls.ts';
import { type ClockLimits, readClockLimits } from './config/clock-limits.ts';
import { type ConnectionLimits, readConnectionLimits } from './config/connection-limits.ts';
import { isGuessableKey } from './config/guessable-key.ts';
import { isLoopback } from './config/is-loopback.ts';
import { type MisspeltVariable, misspeltVariables } from './config/misspelt-variables.ts';
import { refuseRelativeFolders, refuseSharedPort, refuseUnverifiedTls } from './config/refusals.ts';
import { shownVariables } from './config/shown-variables.ts';
import { readSigningCommands, type SigningCommandSettings } from './config/signing-commands.ts';
import { readTracesUrl } from './config/traces-url.ts';
import { trustsStrangers } from './config/trusts-strangers.ts';
import { ConfigError, type VariableReader, type Variables, variableReader } from './config/variable-reader.ts';

export { type AuthorityUrls, ConfigError, type Variables };

export type Config = {
  readonly environment: 'demo' | 'production';
  /** What this process does: serve the API, do the background work, or both. */
  readonly role: 'api' | 'worker' | 'all';
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Where health and metrics are read. */
  readonly opsHost: string;
  readonly opsPort: number;
  readonly simulatorPort: number;
  /** Null where it follows from the port that the service listens on. */
  readonly publicUrl: string | null;
  readonly errorsUrl: string | null;
  readonly dataDir: string;
  /** URL of PostgreSQL, with its password; null for the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Maximum number of connections from this process to PostgreSQL. */
  readonly databasePoolSize: number;
  readonly deliveryHoldSeconds: number;
  /** How long a document stays claimed when its worker does not renew the lease. */
  readonly leaseSeconds: number;
  readonly maxDocumentBytes: number;
  /** Threads that read documents; each takes about 60 MB of memory. */
  readonly readingThreads: number;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly connections: ConnectionLimits;
  /** How long a submission may wait to be carried out; those that would wait longer are refused. */
  readonly maxSubmissionWaitMs: number;
  readonly clockLimits: ClockLimits;
  readonly logLevel: string;
  readonly authorityUrls: Installations;
  /** Least time between two requests in the name of the same user; 0 for no limit. */
  readonly authorityPaceMs: number;
  /** How long to wait for the answer to a sent document. */
  readonly authorityTimeoutSeconds: number;
  /** How long after it was sent a request can still be carried out. Before that, a document that is not found may still be registered. */
  readonly outcomeWindowSeconds: number;
  /** How often inbound documents are collected after one has arrived. */
  readonly collectSeconds: number;
  /** How often at least where none arrives. */
  readonly collectQuietSeconds: number;
  /** How often the authority is asked for later statuses of registered documents. */
  readonly followSeconds: number;
  /** How long entries of the audit trail are kept: of calls with a recognised key and of commands, and of other calls. */
  readonly auditRetentionDays: { readonly recognised: number; readonly unrecognised: number };
  /** Keys that seal private keys: the first one seals, each of them can open. Null in the demo, which generates its own. */
  readonly credentialsKeys: readonly string[] | null;
  /** Commands that sign with keys outside of this process. */
  readonly signing: SigningCommandSettings;
  /** Of a PKCS #12 file that a command is to read. */
  readonly pkcs12Password: string | null;
  /** The folder of the archive, from which archived files are served; null where nothing was archived. */
  readonly archiveDir: string | null;
  /** Where a collector of OpenTelemetry takes traces; null where none are sent. */
  readonly tracesUrl: string | null;
};

const AUTHORITY_SECOND_MS = 1_000;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const HIGHEST_PORT = 65_535;
const MIB = 1_048_576;
/** The parser reads documents up to this size; see the decision on limits. */
const MAX_LIMIT_ON_SQLITE = 256 * MIB;
/** The PostgreSQL driver sends files up to this size. */
const MAX_LIMIT_ON_POSTGRES = 255 * MIB;

/** What is set for the service, as its log may show it. */
export function readShownVariables(): Readonly<Record<string, string>> {
  return shownVariables(process.env);
}

/** Colours on a terminal, unless the person who sits at it wants none. */
export function areColoursWanted(variables: Variables = process.env): boolean {
  return (variables['NO_COLOR'] ?? '') === '' && variables['TERM'] !== 'dumb';
}

export function readConfig(variables: Variables = process.env): Config {
  const read = variableReader(variables);
  const environment = read.oneOf('ENVIRONMENT', ['demo', 'production'], 'demo');
  const isProduction = environment === 'production';
  const databaseUrl = read.postgresUrl('DATABASE_URL');
  const port = simulatorPort(read);
  const config: Config = {
    environment,
    role: read.oneOf('ROLE', ['api', 'worker', 'all'], 'all'),
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8080, 0, HIGHEST_PORT),
    opsHost: read.text('OPS_HOST', '127.0.0.1'),
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
      databaseUrl === null ? MAX_LIMIT_ON_SQLITE : MAX_LIMIT_ON_POSTGRES,
    ),
    readingThreads: read.integer('READING_THREADS', availableParallelism(), 1, 64),
    trustedProxies: read.addresses('TRUST_PROXY'),
    connections: readConnectionLimits(read),
    maxSubmissionWaitMs: read.integer('MAX_SUBMISSION_WAIT_MS', 1_000, 50, 60_000),
    clockLimits: readClockLimits(read),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, isProduction ? 'info' : 'warn'),
    authorityUrls: isProduction ? configuredAuthority(read) : simulatedAuthority(read, port),
    // A little more than the second that the authority requires: requests may arrive closer together than they were sent.
    authorityPaceMs: read.integer('AUTHORITY_PACE_MS', 1_050, 0, 60_000),
    authorityTimeoutSeconds: read.integer('AUTHORITY_TIMEOUT_SECONDS', isProduction ? 30 : 10, 1, 300),
    // The authority does not carry out a request that was signed more than five minutes ago; its lists may lag behind.
    outcomeWindowSeconds: read.integer(
      'OUTCOME_WINDOW_SECONDS',
      isProduction ? 330 : 15,
      isProduction ? 310 : 1,
      86_400,
    ),
    ...pollingSeconds(read, isProduction),
    // Ten years, as for the documents themselves.
    auditRetentionDays: {
      recognised: read.integer('AUDIT_RETENTION_DAYS', 3_650, 1, 36_500),
      unrecognised: read.integer('AUDIT_RETENTION_DAYS_UNRECOGNISED', 30, 1, 36_500),
    },
    credentialsKeys: read.keys('CREDENTIALS_KEY', isProduction),
    signing: readSigningCommands(variables, read),
    pkcs12Password: variables['PKCS12_PASSWORD'] || null,
    archiveDir: read.folder('ARCHIVE_DIR'),
    tracesUrl: readTracesUrl(read),
  };
  (isProduction ? refuseUnsafe : refusePublicDemo)(read, config);
  refuseSharedPort(read, config);
  read.throwIfInvalid();
  return frozen(config);
}

/** Variables that nobody reads and that look as if they were meant for us. */
export function readMisspelt(variables: Variables = process.env): readonly MisspeltVariable[] {
  return misspeltVariables(variables);
}

function frozen(config: Config): Config {
  const { authorityUrls: urls, trustedProxies, auditRetentionDays, credentialsKeys } = config;
  for (const part of [...Object.values(urls), urls, trustedProxies, auditRetentionDays, credentialsKeys])
    Object.freeze(part);
  return Object.freeze(config);
}

/** Whoever is on the way to an address without TLS can read and change documents, answers and keys. */
const PLAIN_HTTP_ACCEPTED = 'i-know-that-others-can-read-and-change-it';

/** Whoever is trusted as a proxy says from which address a call comes, also to keys with allowed addresses. */
const ANY_PROXY_ACCEPTED = 'i-know-that-callers-can-choose-their-address';

/** For rehearsals with a simulator: the authority itself allows a user one request a second. */
const ANY_PACE_ACCEPTED = 'i-know-that-the-authority-refuses-faster-requests';

function refuseUnsafe(read: VariableReader, config: Config): void {
  const { credentialsKeys, trustedProxies, authorityPaceMs, databaseUrl } = config;
  refuseRelativeFolders(read, databaseUrl === null ? ['DATA_DIR', 'ARCHIVE_DIR'] : ['ARCHIVE_DIR']);
  const isAnyPaceAccepted = read.acceptedRisk('ALLOW_ANY_PACE', ANY_PACE_ACCEPTED);
  if (!isAnyPaceAccepted && authorityPaceMs < AUTHORITY_SECOND_MS) {
    read.error(
      `AUTHORITY_PACE_MS: must be at least ${AUTHORITY_SECOND_MS} (or set ALLOW_ANY_PACE=${ANY_PACE_ACCEPTED})`,
    );
  }
  const isPlainAccepted = read.acceptedRisk('ALLOW_PLAIN_HTTP', PLAIN_HTTP_ACCEPTED);
  if (!isPlainAccepted) refuseUnverifiedTls(read, `ALLOW_PLAIN_HTTP=${PLAIN_HTTP_ACCEPTED}`);
  const names = ['PUBLIC_URL', 'ERRORS_URL', ...AUTHORITY_URL_NAMES];
  for (const name of names.filter((one) => !isPlainAccepted && read.isPlainHttp(one))) {
    read.error(`${name}: must begin with https:// (or set ALLOW_PLAIN_HTTP=${PLAIN_HTTP_ACCEPTED})`);
  }
  const isAnyProxyAccepted = read.acceptedRisk('ALLOW_ANY_PROXY', ANY_PROXY_ACCEPTED);
  if (!isAnyProxyAccepted && trustsStrangers(trustedProxies)) {
    read.error(
      `TRUST_PROXY: must name your own proxies, not most of the internet (or set ALLOW_ANY_PROXY=${ANY_PROXY_ACCEPTED})`,
    );
  }
  // Only the first one seals. A former one that was easy to guess must still open what it sealed, until all is sealed anew.
  const [sealingKey] = credentialsKeys ?? [];
  if (sealingKey !== undefined && isGuessableKey(sealingKey)) {
    read.error('CREDENTIALS_KEY: the key is easy to guess; make one of random bytes: openssl rand -base64 32');
  }
}

/** Everybody knows the keys of the demo environment. */
function refusePublicDemo(read: VariableReader, { host, opsHost }: Config): void {
  const isPublicAccepted = read.acceptedRisk('DEMO_PUBLIC', 'yes');
  if (isPublicAccepted || (isLoopback(host) && isLoopback(opsHost))) return;
  read.error(
    'DEMO_PUBLIC: must be yes if HOST or OPS_HOST is not on loopback: anyone can call the demo, its keys are published',
  );
}

function pollingSeconds(read: VariableReader, isProduction: boolean) {
  const seconds = (name: string, fallback: number) => read.integer(name, isProduction ? fallback : 10, 1, 86_400);
  return {
    collectSeconds: seconds('COLLECT_SECONDS', 30),
    collectQuietSeconds: seconds('COLLECT_QUIET_SECONDS', 900),
    followSeconds: seconds('FOLLOW_SECONDS', 900),
  };
}

/** One below the highest port: the second installation listens on the next one. */
function simulatorPort(read: VariableReader): number {
  return read.integer('SIMULATOR_PORT', 8090, 0, HIGHEST_PORT - 1);
}
