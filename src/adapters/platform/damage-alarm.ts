import type { Logger } from 'pino';
import { causeText } from '../../application/errors/commit-unknown.ts';
import { type Damage, DatabaseDamaged } from '../../application/errors/damage.ts';

/** Hears of damage wherever it is met. */
export type DamageAlarm = (damage: Damage) => void;

/** A damaged file may be asked for again and again; further places are counted and not logged: `dostava check` names them all. */
const MOST_PLACES = 1_000;

/** Counts every time that damage was met, and logs each place once: what is always looked at is met several times a second. */
export function createDamageAlarm(log: Logger, count: () => void): DamageAlarm {
  const logged = new Set<string>();
  function isNews(place: string): boolean {
    if (logged.has(place) || logged.size === MOST_PLACES) return false;
    logged.add(place);
    return true;
  }
  return (damage) => {
    count();
    if (damage instanceof DatabaseDamaged) {
      if (isNews(causeText(damage.cause) ?? damage.message)) log.error({ err: damage }, UNREADABLE);
      return;
    }
    const { tenant, place } = damage;
    if (!isNews(`${tenant} ${place}`)) return;
    log.error(
      { tenant, place },
      'stored bytes are damaged; they are neither sent nor served ("dostava check" shows all)',
    );
  };
}

const UNREADABLE =
  'the database is damaged: work that needs what it cannot read fails each time, and is not told again ("dostava check" shows all)';
