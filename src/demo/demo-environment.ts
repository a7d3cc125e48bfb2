import type { KeyPairKeyObjectResult } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { documentScan } from '../app/document-reader.ts';
import type { Foundation } from '../app/foundation.ts';
import { createOperator } from '../app/operator.ts';
import type { Service } from '../app/service.ts';
import type { KeyRequest } from '../application/accounts/manage-keys.ts';
import { readEdb } from '../application/accounts/manage-tenants.ts';
import type { DocumentReader } from '../application/ports/document-reader.ts';
import type { Clock } from '../application/ports/platform.ts';
import type { Operator } from '../cli/operator.ts';
import type { AuthorityUrls, Config } from '../config.ts';
import type { AuthorityEnvironment, NewTenant } from '../domain/accounts/tenant.ts';
import { refusingUnknownScenarios } from './scenario-numbers.ts';
import { DEMO_OPERATOR, seedConsole } from './seed-console.ts';
import { type AdminUrls, seedCredentials } from './seed-credentials.ts';
import { seedDocument } from './seed-document.ts';

const INBOUND = fileURLToPath(new URL('./inbound/', import.meta.url));

const ALFA = readEdb('4030026000018');
const BETA = readEdb('4080026000023');
const GAMA = readEdb('4001026000034');
const DELTA = readEdb('5012026000048');

/** The simulator takes documents in every currency that it lists. */
const TENANTS: readonly NewTenant[] = [
  { edb: ALFA, name: 'Alfa', environment: 'test', outboundEnabled: true, eujpId: 'demo-alfa', foreignCurrency: true },
  { edb: BETA, name: 'Beta', environment: 'test', outboundEnabled: true, eujpId: 'demo-beta', foreignCurrency: true },
  { edb: GAMA, name: 'Gama', environment: 'test', outboundEnabled: false, eujpId: 'demo-gama', foreignCurrency: true },
  // In the demo environment the authority's production installation is out of order.
  {
    edb: DELTA,
    name: 'Delta',
    environment: 'production',
    outboundEnabled: true,
    eujpId: 'demo-delta',
    foreignCurrency: true,
  },
];

/** Reserved for documentation (RFC 5737): no call comes from there. */
const UNUSED_RANGE = '192.0.2.0/24';
const EXPIRED_AT = Date.UTC(2020, 0, 1);

const KEYS: Readonly<Record<string, Omit<KeyRequest, 'software'>>> = {
  'demo-alfa': { tenant: ALFA },
  'demo-beta': { tenant: BETA },
  'demo-gama': { tenant: GAMA },
  'demo-delta': { tenant: DELTA },
  'demo-expired': { tenant: ALFA, expiresAt: EXPIRED_AT },
  'demo-revoked': { tenant: ALFA },
  'demo-address': { tenant: ALFA, allowedAddresses: [UNUSED_RANGE] },
  'demo-scope': { tenant: ALFA, scopes: ['Reporting'] },
  'demo-limited': { tenant: ALFA, callsPerMinute: 5 },
};

export type Demo = {
  /** The given configuration, pointed at the simulated authority. */
  readonly config: Config;
  /** With a key pair for the tenants' certificate, or one of its own. */
  readonly seed: (foundation: Foundation, reader: DocumentReader, keys?: KeyPairKeyObjectResult) => Promise<void>;
  /** The account of the console; apart, because most tests do without it. */
  readonly seedConsole: (foundation: Foundation) => Promise<void>;
  /** For the documents of its clients. */
  readonly readerOf: (reader: DocumentReader) => DocumentReader;
  readonly welcome: (service: Service) => string;
  readonly stop: () => Promise<void>;
};

/**
 * The demo environment: a simulated authority, one of its installations out of order, tenants, keys and documents. The
 * authority uses the same clock as the service, so that a test can move both.
 */
export async function startDemo(config: Config, clock: Clock | null = null): Promise<Demo> {
  const test = await startInstallation(config, 'test', clock);
  const production = await startInstallation(config, 'production', clock).catch(async (error: unknown) => {
    await test.close();
    throw error;
  });
  const admin = { test: test.adminUrl, production: production.adminUrl };
  return {
    config: Object.freeze({ ...config, authorityUrls: { test: urlsOf(test), production: urlsOf(production) } }),
    seed: (foundation, reader, keys) => seed(foundation, reader, admin, keys ?? null),
    seedConsole,
    readerOf: refusingUnknownScenarios,
    welcome,
    async stop() {
      await Promise.all([test.close(), production.close()]);
    },
  };
}

/** The production installation is out of order; it listens on the next port after that of the test installation. */
function startInstallation(
  config: Config,
  installation: AuthorityEnvironment,
  clock: Clock | null,
): Promise<Simulator> {
  const isBroken = installation === 'production';
  const { simulatorPort } = config;
  return startSimulator({
    host: '127.0.0.1',
    port: isBroken && simulatorPort !== 0 ? simulatorPort + 1 : simulatorPort,
    startInOutage: isBroken,
    // A service that is configured without the authority's pace needs a simulator that does not enforce it.
    paced: config.authorityPaceMs > 0,
    stateFile: join(config.dataDir, `authority-${installation}.jsonl`),
    ...(clock === null ? {} : { now: () => new Date(clock.now()) }),
  });
}

function urlsOf({ url, receiverUrl, portalUrl }: Simulator): AuthorityUrls {
  return { query: url, receiver: receiverUrl, portal: portalUrl };
}

/** Adds only what is missing, so that it can run at every start. */
async function seed(
  foundation: Foundation,
  reader: DocumentReader,
  admin: AdminUrls,
  keys: KeyPairKeyObjectResult | null,
): Promise<void> {
  const operator = createOperator(foundation, { ...reader, recognise }, 'demo');
  const known = new Set((await operator.tenants.list()).map(({ edb }) => edb));
  for (const tenant of TENANTS) if (!known.has(tenant.edb)) await operator.tenants.add(tenant);
  await seedCredentials(foundation, operator, admin, TENANTS, keys);
  await seedKeys(operator);
  for (const file of await readdir(INBOUND)) {
    await operator.importInbound(ALFA, file, await readFile(`${INBOUND}${file}`));
  }
  await seedDocument(foundation, ALFA);
}

/**
 * The files of the demo are usual documents or none at all, which the scanner tells apart. A thread with the parser would be nearly half the work
 * of a start, and many a demo never needs it.
 */
const recognise: DocumentReader['recognise'] = async (_, bytes) =>
  documentScan.read(new Uint8Array(bytes))?.facts ?? null;

async function seedKeys({ keys }: Pick<Operator, 'keys'>): Promise<void> {
  const known = new Set((await keys.list(null)).map(({ software }) => software));
  for (const [secret, request] of Object.entries(KEYS)) {
    if (known.has(secret)) continue;
    // Each demo key is issued for a software of its own, named like the key: that is how an existing key is found.
    const { key } = await keys.issue({ ...request, software: secret, mayBeUseless: true }, secret);
    if (secret === 'demo-revoked') await keys.revoke(key.keyId);
  }
}

function welcome({ url, opsUrl }: Service): string {
  const headers = "-H 'X-Api-Key: demo-alfa' -H 'X-Software-Id: tour/1.0'";
  return `Dostava, demo environment: ${url}/api/integration/v1
Health and metrics:        ${opsUrl}/health/ready  ${opsUrl}/metrics
In a browser:              ${url}/  ${url}/docs
Console for operators:     ${opsUrl}/console  (name ${DEMO_OPERATOR.name}, password ${DEMO_OPERATOR.password})

Try it:

  curl -s ${url}/api/integration/v1/ping ${headers}
  curl -s ${url}/examples/invoice.xml | curl -s ${url}/api/integration/v1/outbound ${headers} -H 'X-Idempotency-Key: first' --data-binary @-
  curl -s ${url}/api/integration/v1/inbound ${headers}

Documents leave for the simulated authority after the hold-back; a number that begins with SIM- provokes a failure
(docs/delivery.md). A tour is in README.md, every error with a command that shows it in docs/errors.md and at ${url}/errors,
the OpenAPI description at ${url}/api/integration/v1/openapi.json. Stop with Ctrl-C.`;
}
