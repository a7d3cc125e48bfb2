import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { DATABASE_FILE, type OpenOptions, openFoundation } from '../../src/app/foundation.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { readConfig } from '../../src/config.ts';
import { formerTables } from '../engines/former-database.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder } from '../support/process.ts';
import { PRODUCTION_VARIABLES } from '../support/production-variables.ts';

const ALL = readdirSync(new URL('../../src/adapters/sql/migrations/', import.meta.url)).length;

const PLACES = {
  async DATA_DIR() {
    const folder = temporaryFolder();
    return { value: folder, open: () => openSqlite(join(folder, DATABASE_FILE), systemTimers) };
  },
  async DATABASE_URL() {
    const url = await (await postgresServer()).createDatabase();
    return { value: url, open: () => openPostgres(url, systemPlatform) };
  },
};

for (const [variable, newPlace] of Object.entries(PLACES)) {
  for (const applied of [1, 7, ALL]) {
    test(`tables of an init or migrate-store that was killed in ${variable}, or is at work, are not worked on: ${applied} of ${ALL} migrations`, async () => {
      const { value, open } = await newPlace();
      const engine = open();
      await formerTables(engine, applied);
      await engine.close();

      const config = readConfig({ ...PRODUCTION_VARIABLES, [variable]: value });
      const openedWith = async (options: OpenOptions) => {
        const { engine: opened, migrated } = await openFoundation(config, options);
        await opened.close();
        return migrated.length;
      };
      await assert.rejects(openedWith({ mayCreate: false }), {
        message: `The database of ${variable} is not complete: "dostava init" or "dostava migrate-store" has not come to its end there. Unless it is still at work, start it again.`,
      });
      assert.equal(await openedWith({ mayCreate: true }), ALL - applied, 'init goes on where it ended');
      assert.equal(await openedWith({ mayCreate: false }), 0);
    });
  }
}

test('a database that was taken over while nobody had claimed it is worked on once it has a tenant', async () => {
  const { value, open } = await PLACES.DATA_DIR();
  const engine = open();
  await migrate(engine, systemTimers, Date.now());
  await engine.transaction((sql) =>
    sql.run(
      "insert into tenant (edb, name, environment, outbound_enabled, created_at) values ('4030026000018', 'x', 'test', 1, 0)",
      [],
    ),
  );
  await engine.close();
  const config = readConfig({ ...PRODUCTION_VARIABLES, DATA_DIR: value });
  const { engine: opened } = await openFoundation(config, { mayCreate: false });
  await opened.close();
});
