import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createPemSigner } from '../../../src/adapters/ujp/gateway/pem-signer.ts';
import { createApi } from '../../../src/app/api.ts';
import type { AuditTrail } from '../../../src/app/audit-trail.ts';
import { type AuthorityParts, openAuthority } from '../../../src/app/authority.ts';
import { documentScan } from '../../../src/app/document-reader.ts';
import { DATABASE_FILE, openFoundation } from '../../../src/app/foundation.ts';
import { createOperator } from '../../../src/app/operator.ts';
import { readConfig } from '../../../src/config.ts';
import { CODE_LIST_TYPES } from '../../../src/domain/values/code-list.ts';
import { createCertificate } from '../../support/certificate.ts';
import { quietMetrics } from '../../support/quiet-metrics.ts';
import { clockAt } from '../../support/test-clock.ts';
import { createFront } from '../replica/front.ts';
import { createReaderInPlace } from '../replica/reader.ts';
import { createSimulatedAuthority } from './authority.ts';
import { type Chance, chanceOf } from './chance.ts';
import { createFolder } from './database.ts';
import type { HistoryDatabase } from './history-database.ts';
import { answerOf } from './network.ts';
import { createQuickKey } from './quick-key.ts';
import { openSqliteDatabases } from './sqlite-database.ts';
import { ORIGIN, TAXPAYERS } from './taxpayers.ts';
import { createVirtualTime } from './virtual-time.ts';

/** When the tenants were added; histories begin later, so that nothing counts as a change of an account just now. */
const ADDED_AT = Date.UTC(2026, 10, 15, 8);
export const HISTORY_START = ADDED_AT + 3_600_000;
const DAY_MS = 86_400_000;
const PLENTY = 100_000;
export const MOST_REPLICAS = 3;

/** As in production but for the tenants' keys, which the demo environment lets choose, and for shorter pauses between collections. */
const VARIABLES = {
  LOG_LEVEL: 'silent',
  PUBLIC_URL: 'http://dostava.test',
  DELIVERY_HOLD_SECONDS: '2',
  AUTHORITY_TIMEOUT_SECONDS: '30',
  OUTCOME_WINDOW_SECONDS: '330',
  COLLECT_SECONDS: '240',
  COLLECT_QUIET_SECONDS: '900',
  FOLLOW_SECONDS: '300',
};

/** Where the databases of histories come from. */
export type DatabaseSource = {
  /** How the service finds the database that is filled for all histories. */
  readonly variables: Readonly<Record<string, string>>;
  /** Once it is filled: returns what makes the database of each history, and removes what is left after the last. */
  readonly filled: (dataDir: string) => Promise<Databases>;
};

export type Databases = {
  readonly create: (chance: Chance) => Promise<HistoryDatabase>;
  readonly remove: () => Promise<void>;
};

const SQLITE: DatabaseSource = {
  variables: {},
  async filled(dataDir) {
    const databases = openSqliteDatabases(join(dataDir, DATABASE_FILE));
    return { create: async () => databases.create(), remove: async () => databases.remove() };
  },
};

/** What all histories of a process have in common. */
export type Template = Awaited<ReturnType<typeof createTemplate>>;

/** A database with tenants, their keys and certificates, and the authority's code lists; each history begins with a copy. */
export async function createTemplate(source: DatabaseSource = SQLITE) {
  const folder = createFolder();
  const chance = chanceOf('template');
  const key = createQuickKey(chance.of('key'));
  // Signs in place: on another thread, the moment of the signature would depend on the machine.
  const createSigner: NonNullable<AuthorityParts['createSigner']> = (certificatePem, privateKeyPem) =>
    createPemSigner(certificatePem, privateKeyPem, async (_algorithm, bytes) => key.sign(bytes));
  const certificate = createCertificate({
    keys: key.keys,
    serial: '0a1b2c',
    validFrom: new Date(ADDED_AT - 100 * DAY_MS),
    validTo: new Date(ADDED_AT + 300 * DAY_MS),
  });
  const config = Object.freeze({
    ...readConfig({ ...VARIABLES, ...source.variables, DATA_DIR: folder.path }),
    authorityUrls: {
      test: { query: `${ORIGIN}/einvoice_api`, receiver: `${ORIGIN}/JSONReceiver`, portal: ORIGIN },
      production: null,
    },
    credentialsKeys: [hash('sha256', 'sealing key of the simulation', 'base64')],
  });
  const reader = createReaderInPlace();
  // What it loads with the first document would come at a time of its own.
  await documentScan.content(new Uint8Array());
  const clock = clockAt(ADDED_AT);
  const foundation = await openFoundation(config, { onlyClock: clock });
  const authority = createSimulatedAuthority(createVirtualTime(ADDED_AT, chance), chance, certificate.certificatePem, {
    paced: false,
  });
  const unpaced = { ...foundation, config: { ...config, authorityPaceMs: 0 } };
  const connection = openAuthority(
    unpaced,
    {},
    { exchange: async (request) => answerOf(authority.answer(request)), createSigner },
  );
  const operator = createOperator(foundation, reader, 'simulation', connection);
  for (const { edb, name, eujpId, secret } of TAXPAYERS) {
    await operator.tenants.add({ edb, name, environment: 'test', outboundEnabled: true, eujpId });
    await operator.credentials.set(edb, certificate.certificatePem, certificate.privateKeyPem);
    await operator.keys.issue({ tenant: edb, software: name, callsPerMinute: PLENTY }, secret);
  }
  const [first] = await operator.tenants.list();
  if (first === undefined) throw new Error('No tenant was added.');
  clock.set(HISTORY_START);
  for (const type of CODE_LIST_TYPES) await connection.lists(first, type);
  await foundation.engine.transaction(async (sql) => void (await sql.run('delete from pace', [])));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Logger;
  // One for all replicas: nobody reads them.
  const metrics = quietMetrics();
  const audit = { record: () => undefined } as unknown as AuditTrail;
  const api = createApi(foundation, { reader, audit, connection, log, metrics });
  const fronts = await Promise.all(Array.from({ length: MOST_REPLICAS }, () => createFront(api, config)));
  await connection.close();
  await foundation.engine.close();
  const databases = await source.filled(folder.path);
  return {
    fronts,
    createSigner,
    config,
    certificatePem: certificate.certificatePem,
    createDatabase: databases.create,
    reader,
    metrics,
    async remove() {
      await databases.remove();
      folder.remove();
    },
  };
}
