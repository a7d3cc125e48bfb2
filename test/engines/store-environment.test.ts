import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { prepareDatabase } from '../../src/adapters/sql/prepare-database.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { claimEnvironment } from '../../src/adapters/sql/store-environment.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING, newKey, newTenant } from './samples.ts';

const DEMO_SECRET = hash('sha256', 'demo-alfa', 'buffer');

type Environment = 'demo' | 'production';

onEveryEngine('a database', (database) => {
  beforeEach(async () => {
    await database().engine.transaction(async (sql) => {
      for (const table of ['store_environment', 'api_key', 'tenant']) await sql.run(`delete from ${table}`, []);
    });
  });

  const claim = (environment: Environment) => claimEnvironment(database().engine, environment, MORNING);
  const storageOf = (environment: Environment) => createStorage(database().engine, systemRandom, environment);
  const addTenant = (environment: Environment) =>
    storageOf(environment).transaction((tx) => tx.tenants.add(newTenant(), MORNING));

  async function addKey(secret: Uint8Array, createdAt: number): Promise<void> {
    await database().storage.transaction(async (tx) => {
      const tenant = newTenant();
      await tx.tenants.add(tenant, createdAt);
      await tx.keys.add({ ...newKey(tenant.edb), createdAt }, secret);
    });
  }

  for (const [own, other] of [
    ['demo', 'production'],
    ['production', 'demo'],
  ] as const) {
    test(`that has tenants belongs to whoever added them, and the other is refused for good: ${own}`, async () => {
      await claim(own);
      await addTenant(own);
      await claim(own);
      const refusal = new RegExp(`belongs to the environment ${own}, and ENVIRONMENT is ${other}`, 'u');
      await assert.rejects(claim(other), refusal);
      await assert.rejects(claim(other), refusal);
      await claim(own);
    });
  }

  test('without tenants that the demo has claimed, the default, can be claimed by production, but not back', async () => {
    await claim('demo');
    await claim('production');
    await assert.rejects(claim('demo'), /belongs to the environment production/u);
    await claim('production');
  });

  test('gets no tenant of the demo once production has claimed it', async () => {
    await claim('demo');
    await claim('production');
    await assert.rejects(addTenant('demo'), /belongs to the environment production, and ENVIRONMENT is demo/u);
    assert.equal(await addTenant('production'), true);
  });

  test('never has tenants of both, whoever comes when', async () => {
    const [first, second] = [database(), await database().openAgain()];
    for (let round = 0; round < 10; round += 1) {
      await first.engine.transaction(async (sql) => {
        for (const table of ['store_environment', 'tenant']) await sql.run(`delete from ${table}`, []);
      });
      const enter = async ({ engine }: Pick<typeof first, 'engine'>, environment: Environment) => {
        await claimEnvironment(engine, environment, MORNING);
        const tenant = newTenant({ name: environment });
        await createStorage(engine, systemRandom, environment).transaction((tx) => tx.tenants.add(tenant, MORNING));
      };
      const entered = await Promise.allSettled([enter(first, 'demo'), enter(second, 'production')]);
      const done = entered.filter(({ status }) => status === 'fulfilled');
      assert.equal(done.length, 1, `round ${round}`);
      const names = (await first.storage.tenants.list()).map(({ name }) => name);
      assert.deepEqual(names, [entered[0]?.status === 'fulfilled' ? 'demo' : 'production']);
    }
  });

  test('of an older version with tenants of its own belongs to production', async () => {
    await addKey(randomBytes(32), MORNING);
    await assert.rejects(claim('demo'), /belongs to the environment production/u);
    await claim('production');
  });

  test('of an older version that the demo has filled belongs to the demo, whatever was added later', async () => {
    await addKey(DEMO_SECRET, MORNING);
    await addKey(randomBytes(32), MORNING + 1);
    await assert.rejects(claim('production'), /belongs to the environment demo/u);
    await claim('demo');
  });

  test('of production on which an older version of the demo ran by mistake still belongs to production', async () => {
    await addKey(randomBytes(32), MORNING);
    await addKey(DEMO_SECRET, MORNING + 1);
    await assert.rejects(claim('demo'), /belongs to the environment production/u);
    await claim('production');
  });

  for (const [owner, other, secret] of [
    ['production', 'demo', randomBytes(32)],
    ['demo', 'production', DEMO_SECRET],
  ] as const) {
    test(`of an older version of ${owner} is refused by ${other} before its tables are changed`, async () => {
      const { engine } = database();
      const versions = async () => {
        const rows = await engine.all<{ version: number }>('select version from schema_migration order by version', []);
        return rows.map(({ version }) => version);
      };
      const known = await versions();
      await addKey(secret, MORNING);
      const refused = async (applied: readonly number[]) => {
        const refusal = new RegExp(`belongs to the environment ${owner}, and ENVIRONMENT is ${other}`, 'u');
        await assert.rejects(prepareDatabase(engine, other, MORNING), refusal);
        assert.deepEqual(await versions(), applied);
        await assert.rejects(engine.all('select tenant from partner_number', []), 'no new table');
      };
      await claim(owner);
      await engine.transaction(async (sql) => {
        await engine.script(
          sql,
          `drop table partner_number; drop table outbound_warning; alter table tenant drop column reverse_charge_rate;
           alter table tenant drop column foreign_currency; delete from schema_migration where version >= 8`,
        );
      });
      await refused(known.filter((version) => version < 8));
      // Before migration 7 there was no claim.
      await engine.transaction(async (sql) => {
        await engine.script(sql, 'drop table store_environment; delete from schema_migration where version = 7');
      });
      await refused(known.filter((version) => version < 7));

      await prepareDatabase(engine, owner, MORNING);
      assert.deepEqual(await versions(), known);
      await assert.rejects(claim(other), new RegExp(`belongs to the environment ${owner}`, 'u'));
    });
  }
});
