import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { openAuditTrail } from '../../src/app/audit-trail.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { DatabaseDamaged } from '../../src/application/errors/damage.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import type { Timers } from '../../src/application/ports/platform.ts';
import { readConfig } from '../../src/config.ts';
import { newAuditEntry } from '../engines/samples.ts';
import { temporaryFolder, until } from '../support/process.ts';

test('an outage of the database is told as one, not by every write of the audit trail that fails; other failures are', async (t) => {
  const foundation = await openFoundation(readConfig({ DATA_DIR: temporaryFolder() }));
  t.after(() => foundation.engine.close());
  let failure: Error = new ServiceUnavailable('The database cannot serve at this moment.');
  let write: () => void = () => assert.fail('nothing runs at intervals');
  const transaction = () => Promise.reject(failure);
  const every: Timers['every'] = (_ms, work) => {
    write = work;
    return { cancel: () => undefined };
  };
  const failing = {
    ...foundation,
    storage: { ...foundation.storage, transaction },
    timers: { ...foundation.timers, every },
  };
  const lines: string[] = [];
  const told: Error[] = [];
  const log = pino({ base: {} }, { write: (line: string) => lines.push(line) });
  const damage: Error[] = [];
  const alarms = { databaseFailed: (error: Error) => told.push(error), onDamage: (error: Error) => damage.push(error) };
  const trail = openAuditTrail(failing, log, alarms);
  trail.record(newAuditEntry(), true);
  async function writeUntil(what: string, isOver: () => boolean): Promise<void> {
    await until(what, () => {
      write();
      return isOver();
    });
  }
  await writeUntil('some tries', () => told.length >= 5);
  assert.deepEqual(lines, []);
  failure = new DatabaseDamaged('The file of the embedded database is damaged.');
  await writeUntil('some tries', () => damage.length >= 5);
  assert.deepEqual(lines, [], 'four times a second');
  failure = new Error('a bug');
  await writeUntil('a line', () => lines.length > 0);
  assert.match(lines[0] ?? '', /audit entries could not be written/u);
});
