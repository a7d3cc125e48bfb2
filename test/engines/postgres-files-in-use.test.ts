import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { contentSweep } from '../../src/adapters/sql/stores/content-sweep.ts';
import { ContentInUse } from '../../src/application/errors/operator-error.ts';
import { gate, postgresEngines } from './postgres-engines.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';

const open = postgresEngines();

test('files that others store for long stay for the next run, and that is said', async () => {
  const [engine, others] = [open(), open()];
  const tenant = newTenant();
  await createStorage(engine, systemRandom).transaction(async (tx) => {
    await tx.tenants.add(tenant, MORNING);
    await addOutboundIn(tx, tenant.edb, 60, newOutbound(), MORNING);
  });
  await engine.transaction((sql) => sql.run('update outbound set archived_at = 1 where tenant = $1', [tenant.edb]));
  async function sweep(): Promise<number> {
    let removed = 0;
    const onRemoved = (files: number) => {
      removed += files;
    };
    await contentSweep(engine, systemTimers.nextTurn).sweep(tenant.edb, async () => true, onRemoved);
    return removed;
  }

  const [begun, ended] = [gate(), gate()];
  const storing = others.transaction(async (sql) => {
    await sql.run('lock table content in row exclusive mode', []);
    begun.open();
    await ended.opened;
  });
  await begun.opened;
  await assert.rejects(sweep(), (error: unknown) => {
    assert.ok(error instanceof ContentInUse);
    assert.match(error.message, /in use by others .* next run removes them\.$/u);
    return true;
  });
  ended.open();
  await storing;
  assert.equal(await sweep(), 1);
});
