import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { isRaised } from '../alerts/expression.ts';
import { exprOf } from '../alerts/rules.ts';
import { commandsOnNewDatabase } from '../cli/commands-here.ts';
import { startService, temporaryFolder, until } from '../support/process.ts';

const PAGE_BYTES = 4_096;
/** In each second the queue is looked at five times. */
const MET_OFTEN = 15;

test('a queue that cannot be read raises an alert, and does not fill the log', async (t) => {
  const variables = { DATA_DIR: temporaryFolder(), LOG_LEVEL: 'error' };
  await commandsOnNewDatabase(variables);
  const service = await startService(t, variables);
  await service.stop();
  damageQueue(join(variables.DATA_DIR, 'dostava.sqlite'));

  const again = await startService(t, variables);
  const metrics = async () => (await fetch(`${again.opsUrl}/metrics`)).text();
  const met = (text: string) => Number(/^dostava_stored_damage_total (\d+)$/mu.exec(text)?.[1]);
  await until('damage is met again and again', async () => met(await metrics()) > MET_OFTEN);
  const scrapes = [
    { at: 0, text: 'dostava_stored_damage_total 0' },
    { at: 60, text: await metrics() },
  ];
  assert.ok(isRaised(exprOf('DostavaStoredDamage'), scrapes));
  const errors = again.stdout().match(/^\{"level":"error".*$/gmu) ?? [];
  assert.equal(errors.length, 1, errors.join('\n'));
  assert.match(errors[0] ?? '', /"the database is damaged/u);
});

/** What says which documents are due, as a failing disk leaves it. */
function damageQueue(path: string): void {
  const database = new DatabaseSync(path);
  const roots = database
    .prepare("select rootpage from sqlite_schema where type = 'index' and name like 'outbound_by%due'")
    .all();
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
  assert.ok(roots.length > 0);
  const file = openSync(path, 'r+');
  for (const { rootpage } of roots) {
    writeSync(file, Buffer.alloc(PAGE_BYTES, 0xab), 0, PAGE_BYTES, (Number(rootpage) - 1) * PAGE_BYTES);
  }
  closeSync(file);
}
