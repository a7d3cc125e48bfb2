import { join } from 'node:path';
import { openArchiveFolder } from '../adapters/archive/archive-folder.ts';
import { systemUserName } from '../adapters/platform/platform.ts';
import { isRowDamaged } from '../adapters/sql/is-row-damaged.ts';
import { postgresCopyTarget } from '../adapters/sql/postgres/copy-target.ts';
import { openPostgres } from '../adapters/sql/postgres/open-postgres.ts';
import { prepareCopyTarget } from '../adapters/sql/prepare-database.ts';
import { newRowDigest } from '../adapters/sql/row-digest.ts';
import { sqliteBackupFiles } from '../adapters/sql/sqlite/backup-files.ts';
import { openCopySource } from '../adapters/sql/sqlite/copy-source.ts';
import { commandEntry } from '../application/audit/record-command.ts';
import { isDatabaseFailure } from '../application/errors/commit-unknown.ts';
import { OperatorError } from '../application/errors/operator-error.ts';
import { refuseOtherEnvironment } from '../application/errors/refuse-other-environment.ts';
import { backUpDatabase } from '../application/maintenance/back-up-database.ts';
import { copyDatabase } from '../application/maintenance/copy-database.ts';
import { restoreDatabase } from '../application/maintenance/restore-database.ts';
import { verifyArchive } from '../application/maintenance/verify-archive.ts';
import type { Platform } from '../application/ports/platform.ts';
import type { DatabaseTools } from '../cli/database-tools.ts';
import type { Config } from '../config.ts';
import { randomUuid } from '../domain/values/random-values.ts';
import { DATABASE_FILE, databaseFailure, refuseCopied } from './foundation.ts';

/** Long, since counting a table with a hundred million rows is a single statement. */
const STATEMENT_MS = 3_600_000;

const PG_DUMP = 'pg_dump --format=custom --file=dostava.dump "$DATABASE_URL"';
/** Needs an empty database. */
const PG_RESTORE = 'pg_restore --exit-on-error --single-transaction --no-owner --dbname="$DATABASE_URL" dostava.dump';

/** Tools for whole databases. The configuration is read only by those that need it: `verifyArchive` runs without any. */
export function createDatabaseTools(readConfig: () => Config, { clock, timers, random }: Platform): DatabaseTools {
  return {
    timers,
    async copyToPostgres(dataDir, { to, acceptDamage }, progress) {
      const { databaseUrl, environment } = readConfig();
      const url = to ?? databaseUrl;
      if (url === null) throw new OperatorError('refused', 'No target database is given.', 'no-target-database');
      // Whoever has not seen how a copy ended starts it again.
      refuseCopied(dataDir);
      await using opened = new AsyncDisposableStack();
      const source = await openCopySource(join(dataDir, DATABASE_FILE));
      opened.defer(() => source.close());
      refuseOtherEnvironment('The source', source.environment, environment);
      const engine = openPostgres(url, { timers, random }, { poolSize: 1, statementMs: STATEMENT_MS });
      opened.defer(() => engine.close());
      try {
        await prepareCopyTarget(engine, timers, environment, clock.now());
        const target = postgresCopyTarget(engine, timers);
        const needs = {
          source,
          target,
          newDigest: newRowDigest,
          isDamaged: isRowDamaged,
          clock,
          acceptDamage,
          progress,
        };
        return await copyDatabase(needs);
      } catch (error) {
        throw isDatabaseFailure(error) ? databaseFailure(error) : error;
      }
    },
    async backUp(file, progress) {
      const config = readConfig();
      const database = embeddedDatabase(config, PG_DUMP);
      refuseCopied(config.dataDir);
      return backUpDatabase({ files: sqliteBackupFiles(database, { clock, timers }) })(file, progress);
    },
    async restore(file, options, progress) {
      const config = readConfig();
      const database = embeddedDatabase(config, PG_RESTORE);
      const files = sqliteBackupFiles(database, { clock, timers });
      const entryOf = commandEntry({ operator: systemUserName(), clock, newId: () => randomUuid(random) });
      const { environment } = config;
      return restoreDatabase({ files, database, environment, entryOf, clock })(file, options, progress);
    },
    verifyArchive: (folder, progress) => verifyArchive(openArchiveFolder(folder), progress),
  };
}

function embeddedDatabase({ databaseUrl, dataDir }: Config, command: string): string {
  if (databaseUrl === null) return join(dataDir, DATABASE_FILE);
  throw new OperatorError('refused', `The database is PostgreSQL; use its own tools:\n  ${command}`);
}
