import { join } from 'node:path';
import { migrate } from './adapters/sql/migrate.ts';
import { openPostgres } from './adapters/sql/postgres.ts';
import { postgresCopyTarget } from './adapters/sql/postgres-copy-target.ts';
import { newRowDigest } from './adapters/sql/row-digest.ts';
import { sqliteBackupFiles } from './adapters/sql/sqlite-backup-files.ts';
import { openCopySource } from './adapters/sql/sqlite-copy-source.ts';
import { openArchiveFolder } from './adapters/system/archive-folder.ts';
import { systemClock, systemHasher } from './adapters/system/platform.ts';
import { DATABASE_FILE, outOfReach } from './app.ts';
import { backUpStore } from './application/back-up-store.ts';
import { copyStore } from './application/copy-store.ts';
import { OperatorError } from './application/operator-error.ts';
import { restoreStore } from './application/restore-store.ts';
import { ServiceUnavailable } from './application/service-unavailable.ts';
import { verifyArchive } from './application/verify-archive.ts';
import type { Storekeeper } from './cli/storekeeper.ts';
import type { Config } from './config.ts';

/** Counting a table of a hundred million rows takes its time. */
const STATEMENT_MS = 3_600_000;

const PG_DUMP = 'pg_dump --format=custom --file=dostava.dump "$DATABASE_URL"';
/** Into an empty database. */
const PG_RESTORE = 'pg_restore --exit-on-error --single-transaction --no-owner --dbname="$DATABASE_URL" dostava.dump';

/** What the command line can do with whole databases. The configuration is read when something of it is needed. */
export function createStorekeeper(readConfig: () => Config): Storekeeper {
  return {
    async moveUp(dataDir, to, progress) {
      const url = to ?? readConfig().databaseUrl;
      if (url === null) throw new OperatorError('refused', 'Where to? Give --to, or set DATABASE_URL.');
      await using opened = new AsyncDisposableStack();
      const source = openCopySource(join(dataDir, DATABASE_FILE));
      opened.defer(() => source.close());
      const engine = openPostgres(url, { poolSize: 1, statementMs: STATEMENT_MS });
      opened.defer(() => engine.close());
      try {
        await migrate(engine, systemClock.now());
        const target = postgresCopyTarget(engine);
        const needs = { source, target, newDigest: newRowDigest, hasher: systemHasher, clock: systemClock, progress };
        return await copyStore(needs);
      } catch (error) {
        throw error instanceof ServiceUnavailable ? outOfReach(error) : error;
      }
    },
    async backUp(file, progress) {
      const database = embeddedDatabase(readConfig(), PG_DUMP);
      return backUpStore({ files: sqliteBackupFiles(database, systemClock.now) })(file, progress);
    },
    async restore(file, options, progress) {
      const database = embeddedDatabase(readConfig(), PG_RESTORE);
      return restoreStore({ files: sqliteBackupFiles(database, systemClock.now), database })(file, options, progress);
    },
    verifyArchive: (folder, progress) => verifyArchive(openArchiveFolder(folder), progress),
  };
}

function embeddedDatabase({ databaseUrl, dataDir }: Config, command: string): string {
  if (databaseUrl === null) return join(dataDir, DATABASE_FILE);
  throw new OperatorError('refused', `The database is PostgreSQL, and its own tools do that:\n  ${command}`);
}
