import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { claimEnvironment } from '../../src/adapters/sql/store-environment.ts';
import { failureBecause } from '../../src/application/errors/failure-catalogue.ts';
import { message } from '../../src/domain/messages/message.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING, newEdb, newOutbound, record } from './samples.ts';

const FAILURE = failureBecause('TOTALS-MISMATCH', {
  ...message('line-amount-differs', { stated: '10.00', computed: '12.00' }),
  line: message('line-named', { number: '2', item: 'Кафе „Скопје“ {stated}' }),
  path: '/Invoice/cac:InvoiceLine[2]/cbc:LineExtensionAmount',
});
const FAILED = { failureCode: FAILURE.code, failureMessage: FAILURE.message, failureSentences: FAILURE.sentences };

onEveryEngine('languages', (database) => {
  async function failedDocument() {
    const tenant = newEdb();
    const { storage } = database();
    const docUid = await storage.transaction(async (tx) => {
      const { docUid: added } = await tx.outbound.add(tenant, newOutbound(), MORNING);
      await tx.outbound.move(tenant, added, 10, 'give-up', record(MORNING, FAILED));
      return added;
    });
    return { tenant, docUid };
  }

  test('the sentences of a failure are kept beside its text, and go with it', async () => {
    const { tenant, docUid } = await failedDocument();
    const { storage } = database();
    const found = await storage.outbound.find(tenant, docUid);
    assert.deepEqual([found?.failureMessage, found?.failureSentences], [FAILURE.message, FAILURE.sentences]);
    await storage.transaction((tx) => tx.outbound.move(tenant, docUid, 55, 'requeue', record(MORNING)));
    const queued = await storage.outbound.find(tenant, docUid);
    assert.deepEqual([queued?.failureMessage, queued?.failureSentences], [null, null]);
  });

  test('sentences do not count for a message that a process of the version before wrote over', async () => {
    const { tenant, docUid } = await failedDocument();
    const { engine, storage } = database();
    await engine.transaction((sql) =>
      sql.run('update outbound set failure_message = $1 where tenant = $2', ['Another failure.', tenant]),
    );
    const found = await storage.outbound.find(tenant, docUid);
    assert.deepEqual([found?.failureMessage, found?.failureSentences], ['Another failure.', null]);
  });

  test('a new taxpayer has Macedonian in production and English in the demo, unless it is told', async () => {
    const { engine } = database();
    const settings = { name: 'Gama', environment: 'test', outboundEnabled: true, eujpId: null } as const;
    for (const [environment, language] of [
      ['production', 'mk'],
      ['demo', 'en'],
    ] as const) {
      await engine.transaction((sql) => sql.run('delete from store_environment', []));
      await engine.transaction((sql) => sql.run('delete from tenant', []));
      await claimEnvironment(engine, environment, MORNING);
      const storage = createStorage(engine, systemRandom, environment);
      const { tenants } = storage;
      const [silent, told] = [newEdb(), newEdb()];
      const other = language === 'mk' ? 'en' : 'mk';
      await storage.transaction((tx) => tx.tenants.add({ ...settings, edb: silent }, MORNING));
      await storage.transaction((tx) => tx.tenants.add({ ...settings, edb: told, language: other }, MORNING));
      assert.deepEqual(
        [(await tenants.find(silent))?.language, (await tenants.find(told))?.language],
        [language, other],
      );
    }
  });

  test('taxpayers of the version before have Macedonian in production and English in the demo', async () => {
    const { engine, storage } = database();
    for (const [environment, language] of [
      ['production', 'mk'],
      ['demo', 'en'],
    ] as const) {
      const edb = newEdb();
      await engine.transaction(async (sql) => {
        for (const table of ['store_environment', 'tenant']) await sql.run(`delete from ${table}`, []);
      });
      await claimEnvironment(engine, environment, MORNING);
      await engine.transaction(async (sql) => {
        await engine.script(
          sql,
          'alter table tenant drop column language; alter table outbound drop column failure_sentences',
        );
        await sql.run('delete from schema_migration where version = 16', []);
        await sql.run(
          `insert into tenant (edb, name, environment, outbound_enabled, created_at) values ($1, 'x', 'test', 1, 0)`,
          [edb],
        );
      });
      await migrate(engine, systemTimers, MORNING);
      assert.equal((await storage.tenants.find(edb))?.language, language);
    }
  });
});
