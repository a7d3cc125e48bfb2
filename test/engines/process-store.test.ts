import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceProcess } from '../../src/application/ports/storage/operations/process-store.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING } from './samples.ts';

const MINUTE_MS = 60_000;

onEveryEngine('processes of the service', (database) => {
  const processOf = (id: string, startedAt: number): ServiceProcess => ({
    ...{ id, role: 'worker', version: '1.2.3', host: 'влезна-1' },
    ...{ startedAt, seenAt: startedAt },
  });
  const save = (process: ServiceProcess) => database().storage.transaction((tx) => tx.processes.save(process));
  // Rows of SQLite have no prototype.
  const list = async () => (await database().storage.processes.list()).map((process) => ({ ...process }));

  test('are listed as they said of themselves, the newest first, each once and as last seen', async () => {
    const [older, newer] = [processOf('older', MORNING), processOf('newer', MORNING + MINUTE_MS)];
    await save(older);
    await save(newer);
    assert.deepEqual(await list(), [newer, older]);
    const seenAgain = { ...older, seenAt: MORNING + 2 * MINUTE_MS };
    await save(seenAgain);
    assert.deepEqual(await list(), [newer, seenAgain]);
  });

  test('are gone when they stop, or when they were not seen for long, and no other is', async () => {
    const { storage } = database();
    const [dead, alive, stopping] = [processOf('dead', 1), processOf('alive', 2), processOf('stopping', 3)];
    for (const process of [dead, alive, stopping]) await save(process);
    await storage.transaction((tx) => tx.processes.remove('stopping'));
    await storage.transaction((tx) => tx.processes.remove('unknown'));
    await storage.transaction((tx) => tx.processes.forgetBefore(alive.seenAt));
    const ids = (await list()).map(({ id }) => id);
    assert.deepEqual([ids.includes('dead'), ids.includes('stopping'), ids.includes('alive')], [false, false, true]);
  });
});
