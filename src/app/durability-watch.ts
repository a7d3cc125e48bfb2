import type { Logger } from 'pino';
import type { Foundation } from './foundation.ts';

export type DurabilityWatch = {
  /** By which the database may lose what was answered; as they were last seen. */
  readonly unsafeSettings: () => readonly string[];
  readonly stop: () => void;
};

/** Again and again: after a failover it is another server. */
const LOOK_EVERY_MS = 60_000;

/** Says so when PostgreSQL may lose what was answered. In production alone: nobody misses what the demo loses. */
export function watchDurability(
  { engine, timers, config }: Pick<Foundation, 'engine' | 'timers' | 'config'>,
  log: Logger,
): DurabilityWatch {
  let known: readonly string[] = [];

  async function look(): Promise<void> {
    const settings = await engine.unsafeSettings();
    const isNews = settings.join() !== known.join();
    known = settings;
    if (!isNews) return;
    if (settings.length === 0) log.warn('the settings of the database are safe again');
    else
      log.error(
        { settings },
        'the database may lose what was answered when its machine fails: switch these settings on',
      );
  }

  // A look that fails changes nothing of what is known, and whatever needs the database reports that it fails.
  const lookIfPossible = () => void look().catch(() => undefined);
  if (config.environment !== 'production') return { unsafeSettings: () => known, stop: () => undefined };
  lookIfPossible();
  const timer = timers.every(LOOK_EVERY_MS, lookIfPossible, { keepsProcess: false });
  return { unsafeSettings: () => known, stop: timer.cancel };
}
