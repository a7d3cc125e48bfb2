import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine, SqlValue } from '../../src/adapters/sql/engine.ts';
import { createDocumentReader } from '../../src/adapters/ubl/document-reader.ts';
import { type Foundation, openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import type { DocumentReader } from '../../src/application/ports/document-reader.ts';
import { RESTORED } from '../../src/application/recovery/hold-delivery.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { until } from '../support/process.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { queueDocument } from './queue-document.ts';
import { startSecondWorker } from './second-worker.ts';
import { type Delivering, HOUR, startDelivering } from './support.ts';

/** What a taxpayer and its documents consist of. */
const TABLES = [
  'tenant',
  'credential',
  'content',
  'outbound',
  'outbound_history',
  'listing',
  'listing_block',
  'listing_count',
];

/** The database as it is now, in another one: a backup that was restored. */
async function copyInto(from: Engine, to: Engine): Promise<void> {
  for (const table of TABLES) {
    for (const row of await from.all<Readonly<Record<string, SqlValue>>>(`select * from ${table}`, [])) {
      const columns = Object.keys(row);
      const places = columns.map((_, index) => `$${index + 1}`);
      const text = `insert into ${table} (${columns.join()}) values (${places.join()})`;
      await to.transaction((sql) => sql.run(text, Object.values(row)));
    }
  }
}

describe('a database that was put back to an earlier state', () => {
  let delivering: Delivering;
  let restored: Foundation;
  let reader: DocumentReader;
  before(async () => {
    delivering = await startDelivering({
      DELIVERY_HOLD_SECONDS: String(HOUR / 1_000),
      OUTCOME_WINDOW_SECONDS: String(HOUR / 1_000),
      ...(await freshDatabase()),
    });
    const { config, clock, timers, random } = delivering.service.foundation;
    const variables: { readonly DATA_DIR?: string; readonly DATABASE_URL?: string } = await freshDatabase();
    const { DATA_DIR: dataDir = config.dataDir, DATABASE_URL: databaseUrl = null } = variables;
    restored = await openFoundation({ ...config, dataDir, databaseUrl }, { clock, timers, random });
    reader = createDocumentReader({ timers: systemTimers, threads: 1 });
  });
  after(async () => {
    await reader.close();
    await restored.engine.close();
    await delivering.service.stop();
  });

  test('sends nothing until it is reconciled, and then nothing that the authority has: one registration each', async (t) => {
    const { alfa, clock, reach, registered, service } = delivering;
    const kept = await alfa.send('KEPT');
    await copyInto(service.foundation.engine, restored.engine);
    // Of another one the authority is in an outage all the time.
    await restored.engine.transaction((sql) => sql.run('delete from credential where tenant <> $1', [alfa.edb]));
    const lost = await alfa.send('LOST');
    clock.advance(HOUR);
    const [keptEuid, lostEuid] = [(await reach(alfa, kept, 40)).ujp?.euid, (await reach(alfa, lost, 40)).ujp?.euid];

    clock.advance(3 * HOUR);
    const operator = createOperator(restored, reader);
    const { since } = await operator.deliveryHold.hold(RESTORED);
    const xml = sampleInvoice({ number: 'LOST', supplier: { taxNumber: alfa.edb } });
    const again = await queueDocument({ storage: restored.storage, reader }, alfa.edb, xml, clock.now());
    const other = sampleInvoice({ number: 'NEW', supplier: { taxNumber: alfa.edb } });
    const fresh = await queueDocument({ storage: restored.storage, reader }, alfa.edb, other, clock.now());
    const worker = await startSecondWorker(restored, reader);
    t.after(worker.stop);
    await until('the metric', async () => /^dostava_delivery_held 1$/mu.test(await worker.metrics()));
    const find = (docUid: typeof kept) => restored.storage.outbound.find(alfa.edb, docUid);
    for (const docUid of [kept, again, fresh]) assert.equal((await find(docUid))?.status, 10);

    // A time that is later than the backup: the database itself shows that it is older.
    const tooLate = clock.now();
    const done = await operator.reconcile(tooLate, () => undefined);
    // The demo has documents of its own.
    const ours = done.settled.filter(({ docNumber }) => ['KEPT', 'LOST'].includes(docNumber));
    assert.deepEqual(
      ours.map(({ docNumber, euid, docUid, outcome }) => [docNumber, euid, docUid, outcome]).toSorted(),
      [
        ['KEPT', keptEuid, kept, 'accepted'],
        ['LOST', lostEuid, null, 'lost'],
      ],
    );
    assert.deepEqual([done.failed, done.isReleased], [[], false]);
    assert.equal(done.repeatAfter, since + HOUR, 'a request of before may still be carried out');
    assert.ok(done.withoutAccount.length > 0 && !done.withoutAccount.includes(alfa.edb));
    assert.notEqual(await operator.deliveryHold.find(), null);
    clock.advance(HOUR);
    const accepted = await find(kept);
    assert.deepEqual([accepted?.status, accepted?.ujp?.euid], [40, keptEuid]);
    const second = await operator.reconcile(tooLate, () => undefined);
    assert.deepEqual([second.settled, second.isReleased], [[], true], 'a second run finds nothing new');

    await until('the documents are over', async () => {
      const statuses = [(await find(again))?.status, (await find(fresh))?.status];
      return statuses[0] === 55 && statuses[1] === 40;
    });
    const ended = await find(again);
    assert.equal(ended?.failureCode, 'DUPLICATE-NUMBER');
    assert.match(ended?.failureMessage ?? '', new RegExp(lostEuid ?? 'none', 'u'));
    for (const docNumber of ['KEPT', 'LOST', 'NEW']) {
      assert.equal((await registered({ docNumber })).length, 1, docNumber);
    }
    await until('the metric', async () => /^dostava_delivery_held 0$/mu.test(await worker.metrics()));
  });

  test('can be released without a comparison, and stays held while the authority cannot be asked', async () => {
    const operator = createOperator(restored, reader);
    await operator.deliveryHold.hold(RESTORED);
    await delivering.pull('outage', { on: true });
    const { failed, isReleased } = await operator.reconcile(delivering.clock.now() - HOUR, () => undefined);
    await delivering.pull('outage', { on: false });
    assert.ok(failed.length > 0);
    assert.equal(isReleased, false);
    assert.equal((await operator.deliveryHold.find())?.reason, RESTORED);
    assert.deepEqual([await operator.deliveryHold.release(), await operator.deliveryHold.release()], [true, false]);
  });
});
