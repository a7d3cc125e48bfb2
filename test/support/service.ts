import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { type Foundation, openFoundation } from '../../src/app/foundation.ts';
import { createOperator, type OperatorActions } from '../../src/app/operator.ts';
import { openOps } from '../../src/app/ops.ts';
import { type Service, startService } from '../../src/app/service.ts';
import type { Clock, Platform } from '../../src/application/ports/platform.ts';
import { type AuthorityUrls, readConfig, type Variables } from '../../src/config.ts';
import { completeConfig } from '../../src/demo/credentials-key.ts';
import { startDemo } from '../../src/demo/demo-environment.ts';
import { sharedKeyPair } from './certificate.ts';
import { freshDatabase } from './fresh-database.ts';
import { sharedReader } from './shared-reader.ts';
import { steadyTimers, steadyTimersOverSqlite } from './steady-time.ts';

export type TestService = {
  /** Root of the interface on a real port. */
  readonly api: string;
  readonly url: string;
  readonly opsUrl: string;
  readonly underWay: Service['underWay'];
  readonly foundation: Foundation;
  /** By which another service finds the same database. */
  readonly database: Variables;
  readonly operator: OperatorActions;
  readonly stop: () => Promise<void>;
};

/** For a service that also delivers, collects and seals. A dozen that do would be a third of the work of their test process. */
export const WITH_BACKGROUND = { ROLE: 'all' } as const;

/**
 * The service with the demo tenants and keys, listening on a free port, over a database of its own or a given one. Its limits and
 * pauses do not go on while the process stands still, unless timers are given.
 */
export async function startTestService(
  options: Partial<Platform> & {
    /** The clock of the authority, where it is not the same. */
    readonly authorityClock?: Clock;
    /** The clock of the machine, where the service has that of its database. */
    readonly machineClock?: Clock;
    /** Puts something between the service and the authority's installation for tests. */
    readonly between?: (urls: AuthorityUrls) => Promise<AuthorityUrls>;
    readonly variables?: Variables;
    readonly database?: Variables;
  } = {},
): Promise<TestService> {
  const { variables, database = await freshDatabase(), clock, authorityClock = clock, between, ...platform } = options;
  const standard = {
    PORT: '0',
    OPS_PORT: '0',
    SIMULATOR_PORT: '0',
    AUTHORITY_PACE_MS: '0',
    // However slow the machine is, no answer is late.
    AUTHORITY_TIMEOUT_SECONDS: '300',
    DELIVERY_HOLD_SECONDS: '86400',
    LOG_LEVEL: 'silent',
    // However slow the machine is, nobody is refused for that.
    MAX_SUBMISSION_WAIT_MS: '60000',
    ROLE: 'api',
  };
  const config = readConfig({ ...standard, ...database, ...variables });
  // Whatever was opened is closed in reverse, also when something after it fails to start: nothing keeps the process of a test running.
  await using opened = new AsyncDisposableStack();
  const demo = await startDemo(await completeConfig(config, platform.random ?? systemRandom), authorityClock);
  opened.defer(() => demo.stop());
  const { test } = demo.config.authorityUrls;
  const authorityUrls = { ...demo.config.authorityUrls, test: test && between ? await between(test) : test };
  const timers = database['DATABASE_URL'] === undefined ? steadyTimersOverSqlite : steadyTimers;
  const given = { timers, ...(clock === undefined ? {} : { onlyClock: clock }), ...platform };
  const foundation = await openFoundation({ ...demo.config, authorityUrls }, given);
  opened.defer(() => foundation.engine.close());
  const reader = sharedReader();
  await demo.seed(foundation, reader, sharedKeyPair());
  const ops = await openOps(foundation.config, foundation.timers);
  opened.defer(() => ops.close());
  const service = await startService(foundation, reader, ops, demo.readerOf);
  opened.defer(() => service.stop());
  const running = opened.move();
  return {
    api: `${service.url}/api/integration/v1`,
    url: service.url,
    opsUrl: service.opsUrl,
    underWay: service.underWay,
    foundation,
    database,
    operator: createOperator(foundation, reader),
    stop: () => running.disposeAsync(),
  };
}

/** The headers every call needs, for one of the demo keys. */
export function as(key: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { 'X-Api-Key': key, 'X-Software-Id': 'test/1.0', ...more };
}
