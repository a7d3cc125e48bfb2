import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createDatabaseTools } from '../../src/app/database-tools.ts';
import { type Foundation, openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import type { Clock } from '../../src/application/ports/platform.ts';
import type { Config } from '../../src/config.ts';
import { RESTORED } from '../../src/domain/operations/delivery-hold.ts';
import { daysAfter, skopjeDay } from '../../src/domain/values/skopje-day.ts';
import { findPostgresTools, type PostgresTools } from '../support/postgres-tools.ts';
import { temporaryFolder, until } from '../support/process.ts';
import { sharedReader } from '../support/shared-reader.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { queueDocument } from './queue-document.ts';
import { startSecondWorker } from './second-worker.ts';
import { type Delivering, HOUR, startDelivering } from './support.ts';

const IS_POSTGRES = process.env['TEST_DATABASE'] === 'postgres';
const tools = IS_POSTGRES ? await findPostgresTools() : null;

/** With a no-break space: it must be known again by the number under which it is registered. */
const KEPT = 'KEPT\u00a01';

type Addresses = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** How the database is saved and put back, by the means that the operator has. */
type Saving = {
  readonly variables: Readonly<Record<string, string>>;
  readonly save: (config: Config) => Promise<void>;
  readonly putBack: (config: Config) => Promise<Addresses>;
};

/** "dostava backup" and "dostava restore". */
async function savingOfSqlite(clock: Clock): Promise<Saving> {
  const file = join(temporaryFolder(), 'dostava.backup');
  const platform = { ...systemPlatform, clock };
  return {
    variables: { DATA_DIR: temporaryFolder() },
    save: async (config) => void (await createDatabaseTools(() => config, platform).backUp(file, () => undefined)),
    async putBack(config) {
      const addresses = { dataDir: temporaryFolder(), databaseUrl: null };
      const { restore } = createDatabaseTools(() => ({ ...config, ...addresses }), platform);
      await restore(file, { force: false, acceptDamage: false }, () => undefined);
      return addresses;
    },
  };
}

/** The lines that the two commands print there. */
async function savingOfPostgres({ databases, run }: PostgresTools): Promise<Saving> {
  const { createDatabase, createMigratedDatabase } = await databases();
  const folder = temporaryFolder();
  const lineOf = async (refused: Promise<unknown>) =>
    refused.then(
      () => assert.fail('PostgreSQL has tools of its own'),
      (error: Error) => /\n {2}(pg_.+)$/u.exec(error.message)?.[1] ?? assert.fail(error.message),
    );
  return {
    variables: { DATA_DIR: temporaryFolder(), DATABASE_URL: await createMigratedDatabase() },
    async save(config) {
      const { backUp } = createDatabaseTools(() => config, systemPlatform);
      await run(await lineOf(backUp('', () => undefined)), folder, config.databaseUrl ?? '');
    },
    async putBack(config) {
      const databaseUrl = await createDatabase();
      const { restore } = createDatabaseTools(() => ({ ...config, databaseUrl }), systemPlatform);
      await run(await lineOf(restore('', { force: false, acceptDamage: false }, () => undefined)), folder, databaseUrl);
      return { dataDir: config.dataDir, databaseUrl };
    },
  };
}

const obstacle = typeof tools === 'string' ? tools : false;

describe('a database that was restored to an earlier state', { skip: obstacle }, () => {
  let delivering: Delivering;
  let saving: Saving;
  let restored: Foundation;
  const reader = sharedReader();
  before(async () => {
    const clock = { now: () => delivering.clock.now() };
    saving = tools === null ? await savingOfSqlite(clock) : await savingOfPostgres(tools as PostgresTools);
    delivering = await startDelivering({
      DELIVERY_HOLD_SECONDS: String(HOUR / 1_000),
      OUTCOME_WINDOW_SECONDS: String(HOUR / 1_000),
      ...saving.variables,
    });
  });
  after(async () => {
    await delivering.service.stop();
    await restored.engine.close();
  });

  test('sends nothing until it is reconciled, and then nothing that the authority has: one registration each', async (t) => {
    const { alfa, clock, reach, registered, service } = delivering;
    const kept = await alfa.send(KEPT);
    await saving.save(service.foundation.config);
    const lost = await alfa.send('LOST');
    // The authority lists by the date of the document.
    const issueDate = daysAfter(skopjeDay(clock.now()), 30);
    const ahead = await alfa.send('AHEAD', { issueDate });
    clock.advance(HOUR);
    const [keptEuid, lostEuid, aheadEuid] = await Promise.all(
      [kept, lost, ahead].map(async (docUid) => (await reach(alfa, docUid, 40)).ujp?.euid),
    );

    clock.advance(3 * HOUR);
    const { config, timers, random } = service.foundation;
    const putBack = { ...config, ...(await saving.putBack(config)) };
    restored = await openFoundation(putBack, { onlyClock: clock, timers, random });
    const operator = createOperator(restored, reader);
    if (IS_POSTGRES) await operator.deliveryHold.hold(RESTORED);
    const { since = 0 } = (await restored.storage.deliveryHold.find()) ?? {};
    const queue = (number: string, more: Readonly<Record<string, string>> = {}) => {
      const xml = sampleInvoice({ number, supplier: { taxNumber: alfa.edb }, ...more });
      return queueDocument({ storage: restored.storage, reader }, alfa.edb, xml, clock.now());
    };
    const [again, fresh] = [await queue('LOST'), await queue('NEW')];
    const againAhead = await queue('AHEAD', { issueDate });
    const worker = await startSecondWorker(restored, reader);
    t.after(worker.stop);
    await until('the metric', async () => /^dostava_delivery_held 1$/mu.test(await worker.metrics()));
    const find = (docUid: typeof kept) => restored.storage.outbound.find(alfa.edb, docUid);
    for (const docUid of [kept, again, againAhead, fresh]) assert.equal((await find(docUid))?.status, 10);

    // A time that is later than the backup: the database itself shows that it is older.
    const tooLate = clock.now();
    const done = await operator.reconcile(tooLate, () => undefined);
    // The demo has documents of its own.
    const ours = done.settled.filter(({ docNumber }) => [KEPT, 'LOST', 'AHEAD'].includes(docNumber));
    assert.deepEqual(
      ours.map(({ docNumber, euid, docUid, outcome }) => [docNumber, euid, docUid, outcome]).toSorted(),
      [
        ['AHEAD', aheadEuid, null, 'lost'],
        [KEPT, keptEuid, kept, 'accepted'],
        ['LOST', lostEuid, null, 'lost'],
      ],
    );
    assert.equal(done.isReleased, false);
    assert.equal(done.repeatAfter, since + HOUR, 'a request of before may still be carried out');
    assert.notEqual(await restored.storage.deliveryHold.find(), null);
    clock.advance(HOUR);
    const accepted = await find(kept);
    assert.deepEqual([accepted?.status, accepted?.ujp?.euid], [40, keptEuid]);
    const second = await operator.reconcile(tooLate, () => undefined);
    assert.deepEqual([second.settled, second.isReleased], [[], true], 'a second run finds nothing new');
    // Of the demo's taxpayers in production the authority is in an outage all the time.
    const inOutage = (await restored.storage.tenants.list()).filter(({ environment }) => environment === 'production');
    assert.ok(inOutage.length > 0);
    assert.deepEqual(
      second.uncompared,
      inOutage.map(({ edb }) => edb),
    );
    assert.deepEqual(
      second.failed.map(({ tenant }) => tenant),
      second.uncompared,
    );

    await until('the documents are over', async () => {
      const statuses = await Promise.all(
        [again, againAhead, fresh].map(async (docUid) => (await find(docUid))?.status),
      );
      return statuses.join() === '55,55,40';
    });
    for (const [docUid, euid] of [[again, lostEuid] as const, [againAhead, aheadEuid] as const]) {
      const ended = await find(docUid);
      assert.equal(ended?.failureCode, 'DUPLICATE-NUMBER');
      assert.match(ended?.failureMessage ?? '', new RegExp(euid ?? 'none', 'u'));
    }
    for (const docNumber of [KEPT, 'LOST', 'AHEAD', 'NEW']) {
      assert.equal((await registered({ docNumber })).length, 1, docNumber);
    }
    await until('the metric', async () => /^dostava_delivery_held 0$/mu.test(await worker.metrics()));
    await until('the other', async () =>
      worker.metrics().then((text) => text.includes(`\ndostava_tenants_held ${inOutage.length}\n`)),
    );
  });

  test('sends nothing for a taxpayer that gets its account after the comparison, until it was compared too', async (t) => {
    const { alfa, beta, clock, reach, registered, service } = delivering;
    const lost = await alfa.send('LATE');
    clock.advance(HOUR);
    const euid = (await reach(alfa, lost, 40)).ujp?.euid;
    const { storage } = restored;
    const accounts = service.foundation.storage.credentials;
    const [ofAlfa, ofBeta] = await Promise.all([accounts.find(alfa.edb), accounts.find(beta.edb)]);
    await restored.engine.transaction((sql) => sql.run('delete from credential', []));
    await storage.transaction((tx) => tx.credentials.save(ofBeta ?? assert.fail()));
    const operator = createOperator(restored, reader);
    await operator.deliveryHold.hold(RESTORED);
    clock.advance(2 * HOUR);
    const done = await operator.reconcile(clock.now(), () => undefined);
    assert.deepEqual([done.failed, done.isReleased], [[], true], 'whoever has left would hold everybody for ever');
    assert.ok(done.withoutAccount.includes(alfa.edb));

    const queue = (edb: string, number: string) => {
      const xml = sampleInvoice({ number, supplier: { taxNumber: edb } });
      return queueDocument({ storage, reader }, edb as typeof alfa.edb, xml, clock.now());
    };
    const again = await queue(alfa.edb, 'LATE');
    await storage.transaction((tx) => tx.credentials.save(ofAlfa ?? assert.fail()));
    const other = await queue(beta.edb, 'OTHER');
    const worker = await startSecondWorker(restored, reader);
    t.after(worker.stop);
    const reached = (edb: typeof alfa.edb, docUid: typeof again, status: number) =>
      until(`status ${status}`, async () => (await storage.outbound.find(edb, docUid))?.status === status);
    await reached(beta.edb, other, 40);
    const waiting = await storage.outbound.find(alfa.edb, again);
    assert.deepEqual([waiting?.status, (await registered({ docNumber: 'LATE' })).length], [10, 1]);

    const second = await operator.reconcile(clock.now(), () => undefined);
    assert.ok(second.settled.some((one) => one.euid === euid && one.outcome === 'lost'));
    assert.deepEqual([second.isReleased, second.withoutAccount.includes(alfa.edb)], [true, false]);
    await reached(alfa.edb, again, 55);
    assert.equal((await registered({ docNumber: 'LATE' })).length, 1);
  });

  test('can be released without a comparison, and stays held while the authority cannot be asked', async () => {
    const operator = createOperator(restored, reader);
    await operator.deliveryHold.hold(RESTORED);
    await delivering.pull('outage', { on: true });
    const { failed, isReleased } = await operator.reconcile(delivering.clock.now() - HOUR, () => undefined);
    await delivering.pull('outage', { on: false });
    assert.ok(failed.length > 0);
    assert.equal(isReleased, false);
    assert.equal((await restored.storage.deliveryHold.find())?.reason, RESTORED);
    const { isEnded, isWithoutComparison, left } = await operator.deliveryHold.release();
    assert.deepEqual([isEnded, isWithoutComparison, left], [true, true, null]);
    assert.equal((await operator.deliveryHold.release()).isEnded, false);
  });
});
