import { refuseOtherEnvironment } from '../../application/errors/refuse-other-environment.ts';
import type { Timers } from '../../application/ports/platform.ts';
import type { StoreEnvironment } from '../../application/ports/store-environment.ts';
import type { Engine, OnStep, Sql } from './engine.ts';
import { type AppliedMigration, migrate } from './migrate.ts';
import { claimEnvironment, readEnvironment } from './store-environment.ts';
import { isUnfinishedCopy, refuseUnfinishedCopy } from './unfinished-copy.ts';

/**
 * Brings the tables of a database up to date and claims it for an environment. One that belongs to the other, or that `migrate-store`
 * has not finished copying, is refused before its tables are changed: the version that it belongs to could not work with them.
 */
export async function prepareDatabase(
  engine: Engine,
  timers: Timers,
  environment: StoreEnvironment,
  now: number,
  onStep: OnStep = () => undefined,
): Promise<readonly AppliedMigration[]> {
  async function check(sql: Sql): Promise<void> {
    await refuseUnfinishedCopy(sql);
    refuseOtherEnvironment('The database', await readEnvironment(sql), environment);
  }
  const migrated = await migrate(engine, timers, now, { check, onStep });
  await claimEnvironment(engine, environment, now);
  return migrated;
}

/** The same for the target of `migrate-store`, which gets the claim of its source with everything else. */
export async function prepareCopyTarget(
  engine: Engine,
  timers: Timers,
  environment: StoreEnvironment,
  now: number,
): Promise<void> {
  async function check(sql: Sql): Promise<void> {
    // Of an unfinished copy the row with the environment may not have arrived yet; its source is compared instead.
    if (await isUnfinishedCopy(sql)) return;
    refuseOtherEnvironment('The target', await readEnvironment(sql), environment);
  }
  await migrate(engine, timers, now, { check });
}
