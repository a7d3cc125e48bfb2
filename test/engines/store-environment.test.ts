import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { claimEnvironment } from '../../src/adapters/sql/store-environment.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING, newKey, newTenant } from './samples.ts';

const DEMO_SECRET = hash('sha256', 'demo-alfa', 'buffer');

onEveryEngine('a database', (database) => {
  beforeEach(async () => {
    await database().engine.transaction(async (sql) => {
      for (const table of ['store_environment', 'api_key', 'tenant']) await sql.run(`delete from ${table}`, []);
    });
  });

  const claim = (environment: 'demo' | 'production') => claimEnvironment(database().engine, environment, MORNING);

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
    test(`that is empty belongs to whoever comes first, and the other is refused for good: ${own}`, async () => {
      await claim(own);
      await claim(own);
      const refusal = new RegExp(`belongs to the environment ${own}, and ENVIRONMENT is ${other}`, 'u');
      await assert.rejects(claim(other), refusal);
      await assert.rejects(claim(other), refusal);
      await claim(own);
    });
  }

  test('is claimed by one of two that come at the same moment', async () => {
    const claims = await Promise.allSettled([claim('demo'), claim('production'), claim('demo'), claim('production')]);
    assert.equal(claims.filter(({ status }) => status === 'fulfilled').length, 2);
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
});
