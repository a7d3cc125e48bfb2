import { join } from 'node:path';
import { openArchiveFolder } from '../adapters/archive/archive-folder.ts';
import { systemClock, systemHasher } from '../adapters/platform/platform.ts';
import { migrate } from '../adapters/sql/migrate.ts';
import { postgresCopyTarget } from '../adapters/sql/postgres/copy-target.ts';
import { openPostgres } from '../adapters/sql/postgres/open-postgres.ts';
import { newRowDigest } from '../adapters/sql/row-digest.ts';
import { sqliteBackupFiles } from '../adapters/sql/sqlite/backup-files.ts';
import { openCopySource } from '../adapters/sql/sqlite/copy-source.ts';
import { OperatorError } from '../application/errors/operator-error.ts';
import { ServiceUnavailable } from '../application/errors/service-unavailable.ts';
import { backUpStore } from '../application/maintenance/back-up-database.ts';
import { copyStore } from '../application/maintenance/copy-database.ts';
import { restoreStore } from '../application/maintenance/restore-database.ts';
import { verifyArchive } from '../application/maintenance/verify-archive.ts';
import type { DatabaseTools } from '../cli/database-tools.ts';
import type { Config } from '../config.ts';
import { DATABASE_FILE, outOfReach } from './foundation.ts';

/** Counting a table of a hundred million rows takes its time. */
const STATEMENT_MS = 3_600_000;

const PG_DUMP = 'pg_dump --format=custom --file=dostava.dump "$DATABASE_URL"';
/** Into an empty database. */
const PG_RESTORE = 'pg_restore --exit-on-error --single-transaction --no-owner --dbname="$DATABASE_URL" dostava.dump';

/** What the command line can do with whole databases. The configuration is read when something of it is needed. */
export function createDatabaseTools(readConfig: () => Config): DatabaseTools {
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
