import { DatabaseDamaged } from './database-damaged.ts';
import { StoredDamage } from './stored-damage.ts';

export type Damage = StoredDamage | DatabaseDamaged;

/** Bytes that are not what was stored, or a page that the database cannot read. */
export function isDamage(error: unknown): error is Damage {
  return error instanceof StoredDamage || error instanceof DatabaseDamaged;
}
