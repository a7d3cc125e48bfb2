import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openAuthority } from '../../src/app/authority.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { startProgram } from '../support/process.ts';
import { steadyTimers } from '../support/steady-time.ts';
import { runningClock } from '../support/test-clock.ts';
import { ALFA, registrations, startAuthority } from './authority-of-test.ts';
import { queueDocument } from './queue-document.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');

export const TENANT = readEdb(ALFA);
/** After a death, workers come until nothing is left: one for what was abandoned, one for what had to be tried again. */
export const SUCCESSORS = 3;
const HOUR_MS = 3_600_000;

export type AfterADeath = Awaited<ReturnType<typeof prepareForADeath>>;

/** A database and an authority for workers that are killed, and for those who come after them. */
export async function prepareForADeath() {
  const clock = runningClock();
  const reader = openReader(steadyTimers, 1);
  const authority = await startAuthority({ now: () => new Date(clock.now()) });
  const variables = { ...authority.variables, ...(await freshDatabase()) };
  const foundation = await openFoundation(readConfig(variables), { onlyClock: clock, timers: steadyTimers });
  const connection = openAuthority(foundation);
  const operator = createOperator(foundation, reader);
  const settings = { edb: TENANT, name: 'Alfa', environment: 'production', outboundEnabled: true } as const;
  await operator.tenants.add({ ...settings, eujpId: 'demo-alfa' });
  await operator.credentials.set(TENANT, authority.pems.certificatePem, authority.pems.privateKeyPem);
  return {
    foundation,
    connection,
    operator,
    reader,
    registrations: () => registrations(authority.simulator),
    queue: (number: string, now: number) =>
      queueDocument({ ...foundation, reader }, TENANT, INVOICE.replace('2026-7001', number), now),
    /** Runs a program that kills itself at the step. */
    async assertKilled(t: TestContext, program: string, ...args: readonly string[]): Promise<void> {
      const file = fileURLToPath(new URL(program, import.meta.url));
      const flags = ['--disable-warning=ExperimentalWarning', file, ...args];
      const { signal, stderr } = await startProgram(t, process.execPath, flags, variables).finished();
      assert.deepEqual({ signal, stderr }, { signal: 'SIGKILL', stderr: '' });
    },
    /** Whoever comes after a death comes when every lease and pause is over. */
    now: clock.now,
    letPausesPass: () => clock.advance(HOUR_MS),
    async close() {
      await connection.close();
      await reader.close();
      await foundation.engine.close();
      await authority.simulator.close();
    },
  };
}
