import type { Logger } from 'pino';
import type { StoredDamage } from '../../application/errors/stored-damage.ts';

/** Hears of damage wherever it is met. */
export type DamageAlarm = (damage: StoredDamage) => void;

/** A damaged file may be asked for again and again; further places are counted and not logged: `dostava check` names them all. */
const MOST_PLACES = 1_000;

/** Counts every time that damage was met, and logs each place once. */
export function createDamageAlarm(log: Logger, count: () => void): DamageAlarm {
  const logged = new Set<string>();
  return (damage) => {
    count();
    const { tenant, place } = damage;
    const key = `${tenant} ${place}`;
    if (logged.has(key) || logged.size === MOST_PLACES) return;
    logged.add(key);
    log.error(
      { tenant, place },
      'stored bytes are damaged; they are neither sent nor served ("dostava check" shows all)',
    );
  };
}
