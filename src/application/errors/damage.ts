import type { Edb } from '../../domain/accounts/edb.ts';

/** Stored bytes do not match their checksum: they are neither sent nor served. `place` says which bytes, and nothing of their content. */
export class StoredDamage extends Error {
  override readonly name = 'StoredDamage';
  readonly tenant: Edb;
  readonly place: string;

  constructor(tenant: Edb, place: string) {
    super(`Stored bytes of ${tenant} are damaged, they do not match their SHA-256: ${place}.`);
    this.tenant = tenant;
    this.place = place;
  }
}

/** The engine cannot read something that it wrote itself: a page of the database is damaged. Others may still be read. */
export class DatabaseDamaged extends Error {
  override readonly name = 'DatabaseDamaged';
}

/** Null where the way to it is damaged. */
export async function unlessDamaged<Result>(work: Promise<Result>): Promise<Result | null> {
  return work.catch((error: unknown) => {
    if (error instanceof DatabaseDamaged) return null;
    throw error;
  });
}

export type Damage = StoredDamage | DatabaseDamaged;

/** Bytes that are not what was stored, or a page that the database cannot read. */
export function isDamage(error: unknown): error is Damage {
  return error instanceof StoredDamage || error instanceof DatabaseDamaged;
}
