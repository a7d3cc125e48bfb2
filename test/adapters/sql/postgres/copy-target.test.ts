import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../../../src/adapters/sql/engine.ts';
import { postgresCopyTarget } from '../../../../src/adapters/sql/postgres/copy-target.ts';
import { openPostgres } from '../../../../src/adapters/sql/postgres/open-postgres.ts';
import { prepareCopyTarget, prepareDatabase } from '../../../../src/adapters/sql/prepare-database.ts';
import { systemPlatform } from '../../../../src/app/system-platform.ts';
import type { CopySource } from '../../../../src/application/ports/database-copy.ts';
import { postgresServer } from '../../../support/postgres.ts';

test('a service that starts on the target while a copy begins is noticed, and none starts afterwards', async (t) => {
  const url = await (await postgresServer()).createDatabase();
  const [engine, service] = [1, 2].map(() => openPostgres(url, systemPlatform, { poolSize: 1 })) as [Engine, Engine];
  t.after(() => Promise.all([engine.close(), service.close()]));
  const { timers } = systemPlatform;
  await prepareCopyTarget(engine, timers, 'demo', Date.now());
  const applied = await engine.all<{ version: number }>('select version from schema_migration order by version', []);
  const source: CopySource = {
    ...({ identity: 'a database', environment: 'demo', tables: [], count: () => 0, batch: () => [] } as const),
    versions: applied.map(({ version }) => version),
    setAside: async () => 'elsewhere',
  };
  const whileItStarts: Engine = {
    ...engine,
    async transaction(work) {
      await service.get('select 1 as one', []);
      return engine.transaction(work);
    },
  };
  let elapsedMs = 0;
  const impatient = {
    ...timers,
    elapsedMs() {
      elapsedMs += 1_000;
      return elapsedMs;
    },
    pause: async () => undefined,
  };
  const target = postgresCopyTarget(whileItStarts, impatient);
  await assert.rejects(target.begin(source, Date.now()), /The target is in use: stop what runs on it/u);
  // The demo makes a database where there is none, and refuses this one all the same.
  await assert.rejects(prepareDatabase(engine, timers, 'demo', Date.now()), /unfinished copy/u);
});
