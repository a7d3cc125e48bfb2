import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { startPostgres } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { assertListIsTrue } from './recount.ts';
import { ANY_OUTBOUND, MORNING, newEdb, newOutbound, record } from './samples.ts';

const opened: Engine[] = [];
after(() => Promise.all(opened.map((engine) => engine.close())));

/** Adds documents without a pause until it is told to stop, and counts what came of it. */
function load(engines: readonly Engine[], tenants: readonly Edb[]) {
  const stored: { tenant: Edb; docUid: DocUid }[] = [];
  const failures: unknown[] = [];
  let isOver = false;

  async function write(engine: Engine, tenant: Edb): Promise<void> {
    const storage = createStorage(engine, systemRandom);
    while (!isOver) {
      const adding = storage.transaction(async ({ outbound }) => {
        const { docUid } = await outbound.add(tenant, newOutbound(), MORNING);
        await outbound.move(tenant, docUid, 10, 'prepare', record(MORNING));
        return docUid;
      });
      await adding.then(
        (docUid) => stored.push({ tenant, docUid }),
        (error: unknown) => failures.push(error),
      );
    }
  }

  const writers = engines.flatMap((engine) => tenants.map((tenant) => write(engine, tenant)));
  return {
    stored,
    failures,
    async stop() {
      isOver = true;
      await Promise.all(writers);
    },
  };
}

test('a server that is killed under load and comes back: nothing that was confirmed is lost, and nobody has to restart', async () => {
  const server = await startPostgres();
  const url = await server.createDatabase();
  const engines = [openPostgres(url, systemPlatform), openPostgres(url, systemPlatform)];
  opened.push(...engines);
  const [engine] = engines;
  assert.ok(engine);
  await migrate(engine, systemTimers, 0);
  const tenants = [newEdb(), newEdb(), newEdb()];
  const { stored, failures, stop } = load(engines, tenants);
  for (let round = 1; round <= 3; round += 1) {
    await until('documents are stored', () => stored.length > round * 40);
    await server.stop();
    const before = failures.length;
    await until('failures are told', () => failures.length > before + 20);
    await server.start();
    const stand = stored.length;
    await until('documents are stored again', () => stored.length > stand + 20);
  }
  await stop();
  const expected = (error: unknown) => error instanceof ServiceUnavailable || /not known/u.test(String(error));
  assert.deepEqual(
    failures.filter((error) => !expected(error)),
    [],
  );
  const { outbound } = createStorage(engine, systemRandom);
  for (const { tenant, docUid } of stored) assert.equal((await outbound.find(tenant, docUid))?.status, 20);
  for (const tenant of tenants) {
    await assertListIsTrue(engine, tenant, 'outbound');
    const { totalCount } = await outbound.list(tenant, ANY_OUTBOUND, { page: 1, pageSize: 1 });
    const confirmed = stored.filter((one) => one.tenant === tenant).length;
    const unknown = failures.filter((error) => !(error instanceof ServiceUnavailable)).length;
    assert.ok(totalCount >= confirmed && totalCount <= confirmed + unknown, `${totalCount} of ${confirmed}`);
  }
});
