import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Foundation, openFoundation, openReader, startService } from '../../src/app.ts';
import { createOperator } from '../../src/app-operator.ts';
import type { Clock } from '../../src/application/ports.ts';
import type { Operator } from '../../src/cli/operator.ts';
import { readConfig, type Variables } from '../../src/config.ts';
import { startDemo } from '../../src/demo.ts';
import { completeConfig } from '../../src/demo-key.ts';

export type TestService = {
  /** Root of the interface on a real port. */
  readonly api: string;
  readonly url: string;
  readonly opsUrl: string;
  readonly foundation: Foundation;
  readonly operator: Operator;
  readonly stop: () => Promise<void>;
};

export type MovableClock = Clock & { readonly advance: (ms: number) => void };

/** Real time that a test can push forward. */
export function movableClock(): MovableClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance: (ms) => {
      ahead += ms;
    },
  };
}

/** The whole service with the demo tenants and keys, listening on a free port, over a database of its own. */
export async function startTestService(
  options: { readonly clock?: Clock; readonly variables?: Variables } = {},
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dostava-'));
  const standard = {
    PORT: '0',
    OPS_PORT: '0',
    SIMULATOR_PORT: '0',
    AUTHORITY_PACE_MS: '0',
    DELIVERY_HOLD_SECONDS: '86400',
    LOG_LEVEL: 'silent',
  };
  const config = readConfig({ ...standard, DATA_DIR: dataDir, ...options.variables });
  const demo = await startDemo(await completeConfig(config));
  const foundation = await openFoundation(demo.config, options.clock);
  const reader = openReader();
  await demo.seed(foundation, reader);
  const service = await startService(foundation, reader);
  return {
    api: `${service.url}/api/integration/v1`,
    url: service.url,
    opsUrl: service.opsUrl,
    foundation,
    operator: createOperator(foundation, reader),
    async stop() {
      await service.stop();
      await reader.close();
      await foundation.engine.close();
      await demo.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The headers every call needs, for one of the demo keys. */
export function as(key: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { 'X-Api-Key': key, 'X-Software-Id': 'test/1.0', ...more };
}
