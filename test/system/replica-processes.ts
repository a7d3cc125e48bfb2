import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { START_FLAGS } from '../../bin/start-flags.js';
import type { Simulator } from '../../simulator/simulator.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { createOperator, type OperatorActions } from '../../src/app/operator.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { ALFA, startAuthority } from '../delivery/authority-of-test.ts';
import { type PostgresServer, postgresServer, startPostgres } from '../support/postgres.ts';
import { freePort, QUICK_START, type RunningProcess, startProgram, type Variables } from '../support/process.ts';

export const TENANT = readEdb(ALFA);

/** A process of the installation. Killed or stopped, it can be started again where it was. */
export type Replica = {
  /** Root of the interface; of no use for a worker. */
  readonly api: string;
  readonly opsUrl: string;
  readonly kill: () => Promise<void>;
  /** Stands still, as on a machine that is suspended, until it is let go on. */
  readonly suspend: () => void;
  readonly resume: () => void;
  /** Asks it to stop; it must end by itself and without an error. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** The processor time that the longest turn of its event loop took since the last question. */
  readonly longestTurnMs: () => Promise<number>;
};

/** One database, one authority, one taxpayer, and as many processes as one likes. */
export type Installation = {
  readonly simulator: Simulator;
  /** As the command line of an operator beside the processes. */
  readonly operator: OperatorActions;
  readonly issueKey: (callsPerMinute: number) => Promise<{ readonly secret: string; readonly keyId: string }>;
  readonly start: (role: Role) => Promise<Replica>;
  /** One that is not running yet, but whose address is known. */
  readonly reserve: (role: Role) => Promise<Replica>;
};

type Role = 'api' | 'worker' | 'all';

const READY = { api: /Dostava listens on/u, all: /Dostava listens on/u, worker: /Dostava delivers/u };
/** Short, so that a test need not wait a minute for what a dead worker held. */
const IMPATIENT = { LEASE_SECONDS: '2', LOG_LEVEL: 'silent' };
/** Where waiting times of callers are measured, the parser is optimised as in production. */
const FLAGS = process.env['TEST_LONG'] === '1' ? START_FLAGS : QUICK_START;
const PROGRAM = [...FLAGS, 'test/system/impatient-service.ts'];

export async function startInstallation(t: TestContext): Promise<Installation> {
  return installationOn(t, { DATABASE_URL: await (await postgresServer()).createMigratedDatabase() });
}

/** On a PostgreSQL of its own, which can be stopped. */
export async function startInstallationOnOwnServer(
  t: TestContext,
): Promise<Installation & { readonly server: PostgresServer }> {
  const server = await startPostgres();
  return { ...(await installationOn(t, { DATABASE_URL: await server.createDatabase() })), server };
}

export async function installationOn(t: TestContext, database: Variables): Promise<Installation> {
  const { simulator, variables, pems } = await startAuthority();
  t.after(() => simulator.close());
  const all = { ...variables, ...IMPATIENT, ...database };
  const foundation = await openFoundation(readConfig(all));
  t.after(() => foundation.engine.close());
  const operator = createOperator(foundation, openReader(systemTimers));
  const settings = { edb: TENANT, name: 'Alfa', environment: 'production', outboundEnabled: true } as const;
  await operator.tenants.add({ ...settings, eujpId: 'demo-alfa' });
  await operator.credentials.set(TENANT, pems.certificatePem, pems.privateKeyPem);
  return {
    simulator,
    operator,
    async issueKey(callsPerMinute) {
      const { secret, key } = await operator.keys.issue({ tenant: TENANT, software: 'test', callsPerMinute });
      return { secret, keyId: key.keyId };
    },
    reserve: (role) => reserve(t, role, all),
    async start(role) {
      const replica = await reserve(t, role, all);
      await replica.start();
      return replica;
    },
  };
}

async function reserve(t: TestContext, role: Role, variables: Variables): Promise<Replica> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const own = { ...variables, ROLE: role, PORT: String(port), OPS_PORT: String(opsPort) };
  let running: RunningProcess | null = null;
  let questions = 0;

  async function end(signal: NodeJS.Signals) {
    assert.ok(running !== null);
    running.signal(signal);
    return running.finished();
  }

  return {
    api: `http://127.0.0.1:${port}/api/integration/v1`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    async start() {
      running = startProgram(t, process.execPath, PROGRAM, own);
      await running.waitFor(READY[role]);
    },
    suspend: () => running?.signal('SIGSTOP'),
    resume: () => running?.signal('SIGCONT'),
    async kill() {
      assert.equal((await end('SIGKILL')).signal, 'SIGKILL');
    },
    async stop() {
      const { exitCode, stderr } = await end('SIGTERM');
      assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    },
    async longestTurnMs() {
      assert.ok(running !== null);
      questions += 1;
      running.signal('SIGUSR2');
      return Number((await running.waitFor(new RegExp(`longest turn ${questions}: (\\d+) ms`, 'u')))[1]);
    },
  };
}
